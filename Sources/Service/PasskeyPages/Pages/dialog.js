// SPDX-License-Identifier: Apache-2.0
// Dialogs: what a passkey signs, in words and in full, and small forms.

import {site} from './site.js';
import {declined, make, onSubmit, say} from './ui.js';

const hex = async (body) => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
};

const introduce = ({text, warning}) => [
  text && make('p', {id: 'lead'}, make('strong', {}, text)), warning && make('p', {id: 'warning', class: 'notice warn'}, warning),
].filter(Boolean);

/** Describes a request in full. `words` say the same for people: `title`, `text`, `warning`. */
export const describe = async ({method, path, body = ''}, words = {}) => {
  const url = new URL(path, location.origin);
  let members = null;
  try {
    members = JSON.parse(body);
  } catch { /* shown as it is */ }
  const isObject = members && typeof members === 'object' && !Array.isArray(members);
  const rows = [
    ...(isObject ? Object.entries(members).map(([name, value]) =>
      [name, typeof value === 'string' ? value : JSON.stringify(value)]) : []),
    [say('target'), url.host],
    [say('request'), make('span', {class: 'mono'}, `${method} ${url.pathname}${url.search}`)],
    [say('content'), body ? make('pre', {}, body) : say('noContent')],
    ...(body ? [[say('fingerprint'), make('span', {class: 'mono'}, await hex(body))]] : []),
  ];
  return [
    ...introduce(words),
    make('p', {class: 'meta'}, say('confirmRequest', {site})),
    make('dl', {}, rows.map(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]).flat()),
  ];
};

/** Opens a dialog; resolves with what `open` calls its argument with, or null after Escape. */
const opening = (title, fill) => new Promise((resolve) => {
  const heading = make('h2', {id: 'dialog-title', tabindex: '-1'}, title);
  const dialog = make('dialog', {'aria-labelledby': 'dialog-title'});
  let result = null;
  const close = (value) => {
    result = value;
    dialog.close();
  };
  dialog.append(make('div', {class: 'stack'}, heading, fill(close)));
  // Screen readers say this together with the title.
  const described = ['lead', 'warning'].filter((id) => dialog.querySelector(`#${id}`));
  if (described.length) dialog.setAttribute('aria-describedby', described.join(' '));
  dialog.addEventListener('close', () => {
    dialog.remove();
    resolve(result);
  });
  document.body.append(dialog);
  dialog.showModal();
  // The browser focuses the first button, which is at the end of a long dialog. Reading begins at the top.
  const start = dialog.querySelector('input') ?? heading;
  start.focus({preventScroll: true});
  start.select?.();
  dialog.scrollTop = 0;
});

const choice = (label, kind, work) => {
  const element = make('button', {type: 'button', class: kind}, label);
  element.addEventListener('click', work);
  return element;
};

/** Shows a request (with `signs: false` only the words) and returns whether the user accepts it. */
export const askToConfirm = async (request, words = {}) => {
  const signs = words.signs ?? true;
  const parts = signs ? await describe(request, words) : introduce(words);
  return opening(words.title ?? say('confirmTitle'), (close) => [
    ...parts,
    make('div', {class: 'buttons'}, choice(say('cancel'), '', () => close(false)),
      choice(signs ? say('confirmButton') : words.title, words.isDangerous ? 'danger' : 'primary', () => close(true))),
  ]);
};

/** Offers ways to go on, each `{label, kind, value}`. Returns the value of the chosen one. Throws if the user declines. */
export const choose = async (title, text, ways) => {
  const chosen = await opening(title, (close) => [
    ...introduce({text}),
    make('div', {class: 'buttons'}, choice(say('cancel'), '', () => close(null)),
      ways.map(({label, kind, value}) => choice(label, kind, () => close(value)))),
  ]);
  if (!chosen) throw declined();
  return chosen;
};

/** Asks for texts; `fields` are `{name, label, value, type, required}`. Throws if the user declines. */
export const askFor = async (title, fields, label = say('save')) => {
  const given = await opening(title, (close) => {
    const form = make('form', {}, fields.map((field) => make('div', {},
      make('label', {for: `ask-${field.name}`}, field.label),
      make('input', {
        id: `ask-${field.name}`, name: field.name, value: field.value ?? '', type: field.type ?? 'text',
        required: field.required, autocomplete: 'off', maxlength: '256',
      }))),
    make('div', {class: 'buttons'}, choice(say('cancel'), '', () => close(null)), make('button', {class: 'primary'}, label)));
    onSubmit(form, async (values) => close(values));
    return form;
  });
  if (!given) throw declined();
  return given;
};

/** Shows a code that cannot be shown again; the link, if there is one, has the code. */
export const showCode = (title, code, text, link) => opening(title, (close) => [
  make('p', {id: 'lead'}, text), make('p', {class: 'issued'}, code),
  make('div', {class: 'buttons'},
    choice(say('close'), '', () => close(null)),
    choice(say(link ? 'copyLink' : 'copy'), 'primary', async ({target}) => {
      await navigator.clipboard.writeText(link ?? code);
      target.textContent = say('copied');
    })),
]);
