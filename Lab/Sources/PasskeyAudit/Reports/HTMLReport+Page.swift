// SPDX-License-Identifier: Apache-2.0

// The style and the script of the page.

extension HTMLReport {
  static let style = """
    :root{--fail:#b3261e;--accepted:#7a5c00;--cannot-tell:#5b5b66;--pass:#1a6b3c;--line:#8884;--soft:#8881}
    @media (prefers-color-scheme:dark){:root{--fail:#ff8a80;--accepted:#e6c35c;--cannot-tell:#b6b6c2;--pass:#7fd6a0}}
    *{box-sizing:border-box}html{background:Canvas;color:CanvasText}
    body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:0 auto;padding:1.5rem}
    h1{font-size:1.6rem;overflow-wrap:anywhere}h2{font-size:1.15rem;margin-top:2rem}
    .counts{display:flex;flex-wrap:wrap;gap:.75rem;list-style:none;padding:0}
    .counts li{border:1px solid var(--line);border-left:.4rem solid;border-radius:.3rem;padding:.4rem .9rem}
    .counts b{font-size:1.5rem;display:block;line-height:1.2}
    li.fail,.fail>summary .tag,td.fail{color:var(--fail)}li.accepted,.accepted>summary .tag,td.accepted{color:var(--accepted)}
    li.cannot-tell,.cannot-tell>summary .tag,td.cannot-tell{color:var(--cannot-tell)}
    li.pass,.pass>summary .tag,td.pass{color:var(--pass)}td.none{opacity:.4}
    dl{display:flex;flex-wrap:wrap;gap:.25rem 2rem}dt{font-size:.8rem;opacity:.7}dd{margin:0}
    table{border-collapse:collapse}td,th{padding:.2rem .8rem;border-bottom:1px solid var(--line);text-align:right}
    tbody th,thead th:first-child{text-align:left;font-weight:normal}
    form{display:flex;flex-wrap:wrap;gap:.5rem 1.2rem;margin:2rem 0 1rem;align-items:center}form[hidden]{display:none}
    details{border-top:1px solid var(--line);padding:.6rem 0}details details{margin:.5rem 0 0 1rem}
    summary{cursor:pointer;overflow-wrap:anywhere}.tag{font-weight:bold}.detail{font-weight:600}.references{opacity:.75;font-size:.9rem}
    p{margin:.5rem 0;overflow-wrap:anywhere}
    pre{background:var(--soft);padding:.75rem;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.85rem}
    @media (max-width:32rem){body{padding:1rem}td,th{padding:.2rem .35rem;font-size:.85rem}details details{margin-left:0}}
    @media print{form{display:none!important}body{max-width:none;padding:0;font-size:10pt}pre{font-size:8pt}
    summary{break-after:avoid-page}}
    """

  /// Filters by outcome and words, and opens or closes the findings that are shown.
  static let script = """
    'use strict';(()=>{const form=document.getElementById('filter'),words=document.getElementById('words'),\
    shown=document.getElementById('shown'),all=[...document.querySelectorAll('main>details')];
    const apply=()=>{const kinds=new Set([...form.querySelectorAll('input:checked')].map(i=>i.value));
    const wanted=words.value.toLowerCase().split(/\\s+/).filter(Boolean);let count=0;
    for(const d of all){const text=d.textContent.toLowerCase();
    d.hidden=!kinds.has(d.className)||!wanted.every(w=>text.includes(w));if(!d.hidden)count++}
    shown.textContent=count+' of '+all.length+' checks'};
    form.hidden=false;form.addEventListener('input',apply);form.addEventListener('submit',e=>e.preventDefault());apply();
    for(const b of form.querySelectorAll('button'))b.addEventListener('click',()=>{
    for(const d of all)if(!d.hidden)for(const e of [d,...d.querySelectorAll('details')])e.open=b.value==='open'})})();
    """
}
