// SPDX-License-Identifier: Apache-2.0
// What all pages share: elements, messages, and the connection to the service.

import {Passkeys, PasskeyError, sentences} from './passkey.js';
import {destinations, errors, language, service, site, targets, text} from './site.js';
import {askToConfirm} from './dialog.js';

export const byID = (id) => document.getElementById(id);

// A form never becomes an address, whatever happens to the script of its page.
document.addEventListener('submit', (event) => event.preventDefault(), true);

/** Makes the forms usable. The script of a page calls this when they work. */
export const begin = () => {
  for (const form of document.querySelectorAll('form[inert]')) form.inert = false;
  byID('late')?.remove();
};

const memoryIn = (storage) => {
  const kept = Object.create(null);
  return {
    get(name) {
      try {
        return window[storage].getItem(name);
      } catch {
        return kept[name] ?? null;
      }
    },
    set(name, text) {
      kept[name] = text;
      try {
        if (text === null) window[storage].removeItem(name);
        else window[storage].setItem(name, text);
      } catch { /* kept above */ }
    },
  };
};

/** Texts that stay in this tab; only in this page if the browser stores nothing. */
export const memory = memoryIn('sessionStorage');

const shared = memoryIn('localStorage');

/**
 * What goes on after a reload. The clocks of browser and server may differ, and the server knows what has expired: a day is
 * longer.
 */
const lasting = (name, storage) => ({
  get() {
    const value = JSON.parse(storage.get(name) ?? 'null');
    return Date.now() - value?.began < 86_400_000 ? value : null;
  },
  set: (value) => storage.set(name, JSON.stringify({...value, began: Date.now()})),
  end: () => storage.set(name, null),
});

/**
 * The verification of an address that waits for its code: `{token, email}`, and `signUp` with what else was typed. Other tabs know
 * it, because the link of a mail opens one.
 */
export const pending = lasting('verification', shared);

/**
 * The sign-up whose address is verified: `{email, username, code}`, and `isUncertain` if the answer to its registration was lost.
 * It goes on in the tab that has verified the address, and ends with it.
 */
export const admitted = lasting('sign-up', memory);

/** Returns a sentence in the language of the page, with values in place of `{names}`. */
export const say = (key, values = {}) => text[key].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? site);

/** Creates an element. Strings become text, never markup. */
export const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter(Boolean));
  return element;
};

/** Creates a button whose visible label another name may replace for screen readers. */
export const button = (label, work, {name, kind} = {}) => {
  const element = make('button', {type: 'button', class: kind, 'aria-label': name}, label);
  element.addEventListener('click', () => run(element, work));
  return element;
};

export const badge = (label, tone = '') => make('span', {class: `badge ${tone}`}, label);

const dates = new Intl.DateTimeFormat(language, {dateStyle: 'medium'});
const times = new Intl.DateTimeFormat(language, {timeStyle: 'short'});
const moments = new Intl.DateTimeFormat(language, {dateStyle: 'medium', timeStyle: 'long'});
const nearDays = new Intl.RelativeTimeFormat(language, {numeric: 'auto'});

/** Writes the day of a time of the server: today, yesterday, or a date. */
export const day = (time) => {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time ?? '');
  const count = Math.round((new Date(date).setHours(0, 0, 0, 0) - new Date().setHours(0, 0, 0, 0)) / 86_400_000);
  return Math.abs(count) < 2 ? nearDays.format(count, 'day') : dates.format(date);
};

/** Writes a time of the server. */
export const when = (time) => {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time ?? '') : `${day(time)}, ${times.format(date)}`;
};

/** Writes a time of the server with its date, seconds and zone. */
export const exactly = (time) => moments.format(new Date(time));

/** Shows a message in the live region of news, and removes the last problem. The tone is `good`, `quiet` or `warn`. */
export const tell = (message, tone = 'good') => {
  byID('problem').replaceChildren();
  byID('status').className = `notice ${tone}`;
  byID('status').replaceChildren(...(message ? [message] : []));
};

let isLeaving = false;

const sentenceFor = (code) => [errors, sentences].find((one) => Object.hasOwn(one, code))?.[code];

/** The sentence for an error code, or for all codes of its area, such as `http.*`. */
export const sentenceOf = (code) => /^(authentication|registration)-response\./.test(code) ? say('responseInvalid')
  : sentenceFor(code) ?? sentenceFor(`${code?.split('.')[0]}.*`);

/** The fields that errors concern, if the server names none. */
const fieldsOfErrors = {
  'account.email-invalid': 'email', 'account.username-invalid': 'username', 'email.code-refused': 'code',
  'sign-up.code-refused': 'code', 'sign-up.code-too-early': 'code', 'sign-up.invitation-required': 'code',
  'sign-up.username-taken': 'username',
};

/** Explains an error: a sentence, what the user can do when, and the code for support unless an entry is wrong. */
export const explain = (error) => {
  const isKnown = error instanceof PasskeyError || !(error instanceof Error);
  const parts = [sentenceOf(isKnown ? error.code : 'page.reply-unreadable') ?? error.message];
  if (error.attemptsLeft !== undefined) parts.push(say('attemptsLeft', {count: error.attemptsLeft}));
  if (error.notBefore !== undefined) parts.push(say('notBefore', {time: when(error.notBefore)}));
  const code = [error.code ?? error.name, error.requestId].filter(Boolean).join(' · ');
  // Who corrects an entry needs no support.
  return [parts.join(' '), !Object.hasOwn(fieldsOfErrors, error.code) && make('code', {}, say('supportCode', {code}))].filter(Boolean);
};

/** What an account without a passkey can do: go to the page of the account, or from there to the recovery. */
const wayOut = () => location.pathname === '/account' ? button(say('recoverAccount'), recover)
  : make('a', {href: '/account'}, say('toAccount'));

/** Shows an error where screen readers announce it: a sentence, and the code for support. */
export const show = (error) => {
  // Who declined has read what it means.
  if (isLeaving || error.code === 'page.declined') return;
  byID('status').replaceChildren();
  // Who declines has made no mistake.
  if (/^browser\.(cancelled|aborted)$/.test(error.code)) {
    tell(sentenceOf(error.code), 'quiet');
    byID('status').scrollIntoView({block: 'nearest'});
    return;
  }
  if (!(error instanceof PasskeyError)) console.error(error);
  byID('problem').replaceChildren(...explain(error));
  if (error.code === 'step-up.impossible') byID('problem').append(make('p', {class: 'links'}, wayOut()));
  byID('problem').scrollIntoView({block: 'nearest'});
};

/** Runs `work`, and again after the passkey of a user who was away for long, if the service asks for it. */
const verified = async (work) => {
  try {
    return await work();
  } catch (error) {
    if (error.code !== 'session.verification-required' || !has('reverify-options')) throw error;
    if (!await reverify('reverifyWords')) throw error;
    return work();
  }
};

/** Shows why a page has no content, and offers another attempt. */
export const showFailure = (error) => {
  show(error);
  byID('problem').append(make('p', {class: 'links'}, button(say('retry'), () => location.reload())));
};

/** Asks the user of the session for a passkey, in these words; false if the user declines. */
export const reverify = async (words) => {
  const agrees = await askToConfirm(null, {title: say('reverify'), text: say(words), signs: false});
  if (agrees) await passkeys.reverify();
  return agrees;
};

let showState = () => {};
let isUncertain = false;

/** Sets what shows the present state after a request whose answer was lost. */
export const onUnanswered = (work) => { showState = work; };

/** Runs the work of a button or a form once at a time, and shows its failure. */
export const run = async (control, work) => {
  if (control.getAttribute('aria-busy') === 'true') return;
  control.setAttribute('aria-busy', 'true');
  isUncertain = false;
  tell();
  try {
    await verified(work);
  } catch (error) {
    isUncertain = error.code === 'browser.unanswered';
    if (isUncertain) await showState();
    show(error);
  } finally {
    control.removeAttribute('aria-busy');
  }
};

/** Marks the field that the server refused, and moves the focus there. */
const mark = (form, {member, code}) => {
  const name = member?.split('.').at(-1) ?? fieldsOfErrors[code];
  const field = name && form.elements.namedItem(name);
  if (!field) return;
  const details = field.closest('details');
  if (details) details.open = true;
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-errormessage', 'problem');
  field.addEventListener('input', () => field.removeAttribute('aria-invalid'), {once: true});
  field.focus();
};

/** Runs `work` with the fields of a form when it is submitted. */
export const onSubmit = (form, work) => form.addEventListener('submit', (event) => {
  event.preventDefault();
  const fields = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
  run(event.submitter ?? form.querySelector('button'), () => work(fields, form).catch((error) => {
    mark(form, error);
    throw error;
  }));
});

/** Fills a list: rows, or a sentence if there are none. */
export const fill = (list, rows, empty) => {
  list.replaceChildren(...(rows.length ? rows : [make('li', {class: 'empty'}, empty)]));
  list.removeAttribute('aria-busy');
};

/** Loads a list; after a failure it offers another attempt. */
export const load = async (list, work) => {
  if (!list.children.length) list.replaceChildren(make('li', {class: 'loading'}, say('loading')));
  list.setAttribute('aria-busy', 'true');
  try {
    await verified(work);
  } catch (error) {
    show(error);
    list.replaceChildren(make('li', {class: 'row empty'}, make('span', {}, say('notLoaded')), button(say('retry'), () => load(list, work))));
  } finally {
    list.removeAttribute('aria-busy');
  }
};

/** Moves the focus after a change has removed the focused element. */
export const focus = (id) => byID(id).focus();

export const declined = () => new PasskeyError('page.declined', '');

/** The time zone of this browser, such as `Europe/Berlin`. */
export const {timeZone} = Intl.DateTimeFormat().resolvedOptions();

/** Sign-in of this site. Users read what they confirm before it is sent. */
class SitePasskeys extends Passkeys {
  #words; #read;

  constructor() {
    super({service, sentences: errors, beforeConfirmation: (request) => this.#show(request)});
  }

  /** Runs `work`; before its first request the user reads that request, in `words` and in full. */
  async asking(words, work) {
    [this.#words, this.#read] = [words, undefined];
    try {
      return await work();
    } finally {
      this.#words = this.#read = undefined;
    }
  }

  /** Asks for the passkey to confirm a request that the page has already shown. */
  async confirmShown(request) {
    const {pathname, search} = new URL(request.path, location.origin);
    this.#read = JSON.stringify([pathname + search, request.body]);
    try {
      return await this.confirm(request);
    } finally {
      this.#read = undefined;
    }
  }

  async fetch(input, init = {}) {
    const {origin, pathname, search} = new URL(input, location.origin);
    const request = {method: init.method ?? 'GET', path: pathname + search, body: init.body};
    if (this.#words && !this.#read) await this.#show(request);
    // The mails that a request causes are in the language of the page, and those of a new account in its time zone, too.
    const headers = new Headers(init.headers);
    headers.set('accept-language', language);
    if (timeZone && origin === location.origin) headers.set('time-zone', timeZone);
    return super.fetch(input, {...init, headers});
  }

  async #show(request) {
    const read = JSON.stringify([request.path, request.body]);
    if (this.#read === read) return;
    this.#read = read;
    if (!await askToConfirm(request, this.#words)) throw declined();
  }
}

/**
 * Sends a confirmed request; once more if there is no answer to it. The service carries out a confirmed request once, and gives
 * the same answer again.
 */
export const sendConfirmed = async (send) => {
  try {
    const response = await send();
    if (response.status < 500) return response;
  } catch (error) {
    if (error.code !== 'browser.unanswered') throw error;
  }
  return send();
};

export const has = (name) => Boolean(service.endpoints[name]);

export const passkeys = new SitePasskeys();

/** The browser's own reading of an address, which is what it will open. */
const addressOf = (text) => {
  try {
    return new URL(text, location.origin);
  } catch {
    return null;
  }
};

/** The page of another program of the site that asked for the sign-in, if a setting allows it. */
export const target = () => {
  const next = new URLSearchParams(location.search).get('next');
  const url = next && addressOf(next);
  const isAllowed = url && targets.some(({origin, path}) =>
    url.origin === origin && (url.pathname === path || url.pathname.startsWith(`${path}/`)));
  return isAllowed ? url.origin + url.pathname + url.search : undefined;
};

/** The page to which a sign-in leads: the one that asked for it, or the first. */
export const destination = () => {
  const next = new URLSearchParams(location.search).get('next');
  return destinations.includes(next) ? next : target() ?? destinations[0];
};

/** Returns the account that is signed in and its session; renews a session that has ended, if the service allows it. */
export const resume = async () => {
  const found = await passkeys.session();
  if (found || !service.renewsSessions) return found;
  return passkeys.renew().then(() => passkeys.session(), (error) => {
    if (error.status !== 401) throw error;
    return null;
  });
};

let partOfSignIn = '';

/** Leads to the sign-in, once; it leads back unless the user has ended the session. Never returns. */
export const leave = (news) => {
  if (!isLeaving) {
    const next = news && news !== 'expired' ? '' : `?next=${encodeURIComponent(location.pathname)}`;
    if (news) memory.set('news', news);
    isLeaving = true;
    location.replace(`/${next}${partOfSignIn}`);
  }
  return new Promise(() => {});
};

/** Signs out, and leads to the recovery of an account that has no passkey. */
export const recover = async () => {
  partOfSignIn = '#recover';
  await passkeys.signOut();
  await leave('signedOut');
};

/** The account and the session of the page, if {@link requireSession} found them. */
export let current;

/** Returns the account that is signed in, or leads to the sign-in. */
export const requireSession = async () => {
  const found = await verified(resume);
  if (!found) return leave();
  current = found;
  byID('menu').hidden = false;
  byID('menu-admin').hidden = !(found.account.roles?.includes('admin') || found.account.isAdministrator);
  document.querySelector(`#menu a[href="${location.pathname}"]`)?.setAttribute('aria-current', 'page');
  begin();
  return found.account;
};

/** Names of a list that a screen reader can tell apart: the second “Laptop” is “Laptop (2)”. */
export const distinct = (names) => names.map((name, index) => {
  const count = names.slice(0, index).filter((other) => other === name).length;
  return count ? `${name} (${count + 1})` : name;
});

/** The browser and the system of a session; undefined if neither is known. */
export const softwareOf = ({browser, system}) => browser && system ? say('browserOn', {browser, system}) : browser ?? system;

/** The name of a passkey. One that the service calls `Passkey` has none, and the page has a word for it in each language. */
export const nameOfPasskey = ({name, provider}) => name && name !== 'Passkey' ? name : provider || say('unnamed');

export const nameOf = (account) => account.email ?? account.username ?? account.name ?? account.id;

byID('sign-out').addEventListener('click', ({target}) => run(target, async () => {
  await passkeys.signOut();
  await leave('signedOut');
}));

passkeys.addEventListener('session', async ({detail}) => {
  byID('expiring').replaceChildren(...(detail.state !== 'expiring' ? [] : [
    make('p', {}, say('expiring', {time: when(detail.expiresAt)})),
    button(say('staySignedIn'), async () => { await passkeys.signIn(); }),
  ]));
  // A request whose answer was lost may have ended the session.
  const news = detail.reason === 'signed-out' ? 'signedOut' : isUncertain ? 'uncertain' : 'expired';
  if (detail.state === 'ended' && !byID('menu').hidden) return leave(news);
  // Another tab or the sign-in above can begin a session of another account.
  if (detail.state !== 'started' || !current) return;
  const found = await passkeys.session().catch(() => null);
  if (found && found.account.id !== current.account.id) location.reload();
});

// A page that the back button brings back may belong to a session that has ended.
addEventListener('pageshow', ({persisted}) => persisted && location.reload());

// Another language leads to the same part of the page.
for (const link of document.querySelectorAll('footer [hreflang]')) {
  if (link.hreflang === language) link.setAttribute('aria-current', 'true');
  link.addEventListener('click', () => {
    const query = new URLSearchParams(location.search);
    query.set('language', link.hreflang);
    [link.search, link.hash] = [query, location.hash];
  });
}

const showConnection = () => { byID('offline').textContent = navigator.onLine ? '' : say('offline'); };
addEventListener('online', showConnection);
addEventListener('offline', showConnection);
showConnection();
