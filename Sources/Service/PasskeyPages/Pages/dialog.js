// SPDX-License-Identifier: Apache-2.0
// Dialogs: what a passkey signs, in words and in full, and small forms.

import {actions, language, site} from './site.js';
import {current, declined, make, nameOf, onSubmit, say, when} from './ui.js';

const hex = async (body) => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
};

const introduce = ({text, warning}) => [
  text && make('p', {id: 'lead'}, make('strong', {}, text)), warning && make('p', {id: 'warning', class: 'notice warn'}, warning),
].filter(Boolean);

/** Finds the description of a request, and the members of its path. */
const actionOf = ({method, path}) => {
  const given = new URL(path, location.origin).pathname.split('/');
  for (const [route, action] of Object.entries(actions)) {
    const [verb, pattern] = route.split(' ');
    const parts = pattern.split('/');
    const isVariable = (part) => /^\{.+\}$/.test(part);
    if (verb !== method || parts.length !== given.length || !parts.every((part, at) => isVariable(part) || part === given[at])) continue;
    return {...action, inPath: Object.fromEntries(parts.flatMap((part, at) =>
      isVariable(part) ? [[part.slice(1, -1), decodeURIComponent(given[at])]] : []))};
  }
  return null;
};

/** Writes a value for people. All digits of a number are shown. */
const written = (value, {format, currency, values} = {}, members = {}) => {
  if (values && Object.hasOwn(values, value)) return values[value];
  const isNumber = value !== '' && typeof value !== 'object' && Number.isFinite(Number(value));
  const digits = {maximumFractionDigits: 20};
  if (format === 'number' && isNumber) return new Intl.NumberFormat(language, digits).format(value);
  if (format === 'money' && isNumber) {
    const code = members[currency] ?? currency;
    if (/^[A-Z]{3}$/.test(code)) return new Intl.NumberFormat(language, {style: 'currency', currency: code, ...digits}).format(value);
  }
  if (format === 'date') return when(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const hasWords = ({text, rows}) => Boolean(text || rows);

/** The rows for people: the account, what the page says, and what the description of the action makes of the request. */
const factsOf = (action, members, words) => {
  const all = {...action?.inPath, ...members};
  const known = (action?.rows ?? []).filter(({member}) => Object.hasOwn(all, member));
  const names = new Set(known.flatMap(({member, currency}) => [member, currency]));
  return [
    ...(current?.account ? [[say('yourAccount'), nameOf(current.account)]] : []),
    ...(words.rows ?? []).map(({label, value}) => [label, value]),
    ...known.map((row) => [row.label, written(all[row.member], row, all)]),
    // Nothing that is confirmed is left out.
    ...(action || hasWords(words) && !words.isComplete ? Object.entries(all).filter(([name]) => !names.has(name)).map(([name, value]) => [name, written(value)]) : []),
  ];
};

const list = (rows, kind) => make('dl', {class: kind},
  rows.map(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]).flat());

/** The heading of a confirmation: what the page says, or the description of the action. */
export const titleOf = (request, words = {}) => words.title ?? (request && actionOf(request)?.title) ?? say('confirmTitle');

/**
 * Describes a request for people, and in full. `words` are those of the page: `title`, `text`, `warning`, `rows`, and
 * `isComplete` if they say all that the request does.
 */
export const describe = async ({method, path, body = ''}, words = {}) => {
  const url = new URL(path, location.origin);
  let members = null;
  try {
    members = JSON.parse(body);
  } catch { /* shown as it is */ }
  const isObject = members && typeof members === 'object' && !Array.isArray(members);
  const action = actionOf({method, path});
  const technical = [
    [say('target'), url.host],
    [say('request'), make('span', {class: 'mono'}, `${method} ${url.pathname}${url.search}`)],
    [say('content'), body ? make('pre', {}, body) : say('noContent')],
    ...(body ? [[say('fingerprint'), make('span', {class: 'mono'}, await hex(body))]] : []),
  ];
  // Without any words, the request itself is what people can read.
  const details = make('details', {class: 'technical', open: !hasWords(words) && !action},
    make('summary', {}, say('technical')), list(technical));
  if (!details.open) details.addEventListener('toggle', () => details.open && details.scrollIntoView());
  return [
    ...introduce(words),
    list(factsOf(action, isObject ? members : {}, words), 'facts'),
    make('p', {class: 'meta'}, say('confirmRequest', {site})),
    details,
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
  return opening(titleOf(signs ? request : null, words), (close) => [
    ...parts,
    make('div', {class: 'buttons'}, choice(say('cancel'), '', () => close(false)),
      choice(signs ? say('confirmButton') : words.title, words.isDangerous ? 'danger' : 'primary', () => close(true))),
  ]);
};

/** Offers ways to go on, each `{label, kind, value}`. Returns the value of the chosen one. Throws if the user declines. */
export const choose = async (title, text, ways) => {
  const chosen = await opening(title, (close) => [
    make('p', {id: 'lead'}, text),
    make('div', {class: 'buttons'}, choice(say('cancel'), '', () => close(null)),
      ways.map(({label, kind, value}) => choice(label, kind, () => close(value)))),
  ]);
  if (!chosen) throw declined();
  return chosen;
};

/** Asks for texts; `fields` are `{name, label, value, type, required, maxLength}`. Throws if the user declines. */
export const askFor = async (title, fields, label = say('save')) => {
  const given = await opening(title, (close) => {
    const form = make('form', {}, fields.map((field) => make('div', {},
      make('label', {for: `ask-${field.name}`}, field.label),
      make('input', {
        id: `ask-${field.name}`, name: field.name, value: field.value ?? '', type: field.type ?? 'text',
        required: field.required, autocomplete: 'off', maxlength: field.maxLength ?? 256,
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
