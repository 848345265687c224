// SPDX-License-Identifier: Apache-2.0
// Sign-in, a new account, the verification of its address, and recovery.

import {Passkeys} from './passkey.js';
import {service} from './site.js';
import {
  admitted, begin, byID, declined, destination, has, make, memory, onSubmit, onUnanswered, passkeys, pending, resume, reverify, run, say, show,
  showFailure, target, tell,
} from './ui.js';

// The other pages are never in a frame.
const isFramed = window.top !== window;

/**
 * Whether this page cannot keep a session: it is in a frame of another site, where browsers withhold its cookies. A passkey that it
 * made there would belong to no account.
 */
const isForeign = isFramed && !(() => {
  try {
    document.cookie = 'page-frame=1; path=/; samesite=lax';
    const isKept = document.cookie.includes('page-frame=1');
    document.cookie = 'page-frame=; path=/; samesite=lax; max-age=0';
    return isKept;
  } catch {
    return false;
  }
})();

const views = ['sign-in', 'create', 'verify', 'recover', 'waiting', ...(isFramed ? ['signed-in'] : []), ...(isForeign ? ['elsewhere'] : [])];

const [ownLead, ownButton] = ['create-lead', 'create-account'].map((id) => byID(id).textContent);

/** Whether a sign-up begins with a code that is mailed. An invitation says itself whether its address is verified. */
const mailsFirst = () => has('begin-sign-up') && !byID('invitation').value.trim();

/** Shows the next step of a sign-up: the code, or the passkey. */
const showStep = () => {
  const email = byID('new-email').value.trim();
  const isVerified = mailsFirst() && email && admitted.get()?.email === email;
  byID('create-lead').textContent = isVerified ? say('addressVerified', {email}) : mailsFirst() ? say('codeFirst') : ownLead;
  byID('create-account').textContent = isVerified || !mailsFirst() ? ownButton : say('goOn');
};

/** Shows one part of the page; a person who moved there hears its title. */
const open = (id, isMove = true) => {
  for (const view of views) byID(view).hidden = view !== id;
  const title = id === 'sign-in' ? say('signIn') : byID(`${id}-title`).textContent;
  document.title = `${title} · ${document.title.split(' · ').at(-1)}`;
  if (id === 'create') {
    const {email, username} = admitted.get() ?? {};
    byID('new-email').value ||= email ?? '';
    byID('new-username').value ||= username ?? '';
    showStep();
  }
  if (id === 'verify') byID('verify-lead').textContent = say('verifyLead', {email: pending.get().email || say('yourAddress')});
  if (isMove) byID(`${id}-title`).focus();
};

/** The part that the address names; a verification only while one is pending. */
const viewOfHash = () => {
  if (isForeign) return 'elsewhere';
  const view = location.hash.slice(1);
  return views.includes(view) && (view !== 'verify' || pending.get()) ? view : 'sign-in';
};

/** Fills in what the link of a mail has, and removes it from the address. Returns whether there is any. */
const takeLink = () => {
  const [view, values] = location.hash.slice(1).split('?');
  if (values === undefined) return false;
  history.replaceState(null, '', `#${view}`);
  const {email, code, cancel} = Object.fromEntries(new URLSearchParams(values));
  const fields = {
    create: {'new-email': email, invitation: code}, verify: {'email-code': code},
    recover: {'recovery-email': email, 'recovery-code': code, 'cancel-code': cancel},
  }[view] ?? {};
  for (const [id, value] of Object.entries(fields)) {
    if (!value) continue;
    byID(id).value = value;
    const details = byID(id).closest('details');
    if (details) details.open = true;
  }
  if (view === 'verify' && !pending.get()) tell(say('codeElsewhere'), 'warn');
  return true;
};

let newsOfMove;

/** Moves to a part of the page, with a message there. */
const go = (id, news, tone) => {
  if (location.hash === `#${id}`) {
    open(id);
    return tell(news, tone);
  }
  newsOfMove = [news, tone];
  location.hash = id;
};

const beginVerification = (token, email, signUp) => {
  pending.set({token, email, signUp});
  byID('wrong-address').hidden = !signUp;
  go('verify');
};

const enter = async () => {
  // A browser may add a passkey of its own without a dialog, if the server offered it.
  await passkeys.upgradeToPasskey().catch(() => {});
  if (isFramed) go('signed-in');
  else location.assign(destination());
};

/** Continues after a sign-in or a registration. */
const proceed = async (outcome, {email, username} = {}) => {
  // A passkey of another device opened the session; the next time one of this device is faster.
  if (outcome.attachment === 'cross-platform' && await Passkeys.hasDevice()) memory.set('nudge', 'addHere');
  if (outcome.verification) return beginVerification(outcome.verification.token, email, {username, made: outcome.made});
  if (outcome.session?.expiresAt || passkeys.expiresAt) return enter();
  if (outcome.account?.state === 'active') return enter();
  go('waiting');
};

/** Handles the refusals that lead to another part of the page; the others remain errors. */
const guide = (email) => async (error) => {
  if (error.verification) return beginVerification(error.verification.token, email);
  if (/^(sign-in|session)\.account-pending$/.test(error.code)) return go('waiting');
  if (error.code === 'browser.cancelled') return tell(say('cancelledSignIn'), 'quiet');
  throw error;
};

/** Says what else a person can do who declined to create a passkey. */
const quietly = (error) => {
  if (error.code !== 'browser.cancelled') throw error;
  tell(say('cancelledCreate'), 'quiet');
  throw declined();
};

const signIn = (work) => work().then((outcome) => proceed(outcome)).catch(guide(byID('name').value.trim()));

onSubmit(byID('sign-in').querySelector('form'), ({name}) => signIn(() => passkeys.signIn(name || undefined)));

byID('other-device').addEventListener('click', ({currentTarget}) => run(currentTarget, () =>
  signIn(() => passkeys.signIn(byID('name').value.trim() || undefined, {hints: ['hybrid', 'security-key']}))));

const register = async ({email, username, code}) => {
  const names = {...(email && {email}), ...(username && {username})};
  return passkeys.signUp(names, {code: code || undefined}).catch(quietly);
};

/** Creates the account at the verified address. */
const createVerified = async (typed) => {
  const {code, isUncertain} = admitted.get();
  const outcome = await register({...typed, code}).catch((error) => {
    if (error.code === 'browser.unanswered') admitted.set({...admitted.get(), isUncertain: true});
    if (!['sign-up.code-refused', 'account.email-taken'].includes(error.code)) throw error;
    // The code is spent or has expired, or another account has the address. After other refusals the code still works.
    admitted.end();
    showStep();
    if (!isUncertain) throw Object.assign(error, error.code === 'sign-up.code-refused' && {code: 'email.verification-unknown'});
  });
  admitted.end();
  if (outcome) await proceed(outcome);
  else go('sign-in', say('perhapsCreated'), 'warn');
};

onSubmit(byID('create').querySelector('form'), async (typed) => {
  const {email, username} = typed;
  if (!email || !mailsFirst()) return proceed(await register(typed), typed);
  if (admitted.get()?.email === email) return createVerified(typed);
  admitted.end();
  const {verification} = await passkeys.call('begin-sign-up', {'account.email': email});
  beginVerification(verification.token, email, {username});
});

for (const id of ['invitation', 'new-email']) byID(id).addEventListener('input', showStep);

onSubmit(byID('verify').querySelector('form'), async ({code}, form) => {
  const {token, email, signUp} = pending.get() ?? {};
  const outcome = await passkeys.verify(code.toUpperCase(), {token});
  pending.end();
  form.reset();
  if (outcome.code) {
    const typed = {email, username: signUp?.username};
    admitted.set({...typed, code: outcome.code.value});
    go('create');
    return createVerified(typed);
  }
  if (await passkeys.session()) return enter();
  if (outcome.account?.state === 'pending') return go('waiting');
  go('sign-in', say('emailChanged'));
});

byID('resend').addEventListener('click', ({currentTarget}) => run(currentTarget, async () => {
  const waiting = pending.get();
  const {verification: {token}} = await passkeys.resendCode({token: waiting?.token});
  pending.set({...waiting, token});
  tell(say('sent'), 'quiet');
}));

// A sign-up with a mistyped address is given up, and the device learns that a new passkey is of no use.
byID('wrong-address').addEventListener('click', ({currentTarget}) => run(currentTarget, async () => {
  const {email, signUp} = pending.get() ?? {};
  pending.end();
  if (signUp?.made) await PublicKeyCredential.signalUnknownCredential?.(signUp.made).catch(() => {});
  go('create');
  byID('new-email').value = email ?? '';
  byID('new-username').value = signUp?.username ?? '';
  byID('new-email').select();
}));

onSubmit(byID('ask-recovery'), async ({email}) => {
  await passkeys.call('request-recovery', {'account.email': email});
  tell(say('recoverySent'), 'quiet');
  byID('recovery-email').value = email;
  byID('have-recovery').open = true;
  byID('recovery-code').focus();
});

onSubmit(byID('use-recovery'), async ({email, username, code}) => {
  const names = {...(email && {email}), ...(username && {username})};
  const outcome = await passkeys.signUp(names, {code: code.toUpperCase()}).catch(quietly);
  memory.set('nudge', 'afterRecovery');
  await proceed(outcome, {email});
});

onSubmit(byID('cancel-recovery'), async ({code}, form) => {
  await passkeys.call('cancel-recovery', {code: code.toUpperCase()});
  form.reset();
  tell(say('recoveryCancelled'));
});

// Fields that the service has no use for are not required, because they are not shown.
for (const [rule, kind] of [[service.identifiers.email, 'for-email'], [service.identifiers.username, 'for-username']]) {
  for (const input of document.querySelectorAll(`form .${kind} input`)) {
    input.required = rule === 'required';
    input.disabled = rule === 'none';
  }
}
if (service.signUp === 'invitation') {
  byID('invited').open = true;
  byID('invitation').required = true;
}
if (service.identifiers.username === 'none') byID('name').inputMode = 'email';
if (isFramed) byID('to-about').target = '_blank';
byID('ask-recovery').hidden = !has('request-recovery');
byID('stop-recovery').hidden = !has('cancel-recovery');
if (!has('request-recovery')) {
  byID('recover-lead').textContent = say('recoverByAdministrator');
  byID('have-recovery').open = true;
}

// The cookie of a session may arrive although the rest of an answer is lost.
onUnanswered(async () => {
  if (again || !await passkeys.session().catch(() => null)) return;
  await enter();
  // The browser leaves the page, where the lost answer is no news any more.
  if (!isFramed) await new Promise(() => {});
});

let offered = new AbortController();

/** Offers passkeys in the autofill of the field, as long as the field is visible. */
const offer = async () => {
  offered.abort();
  offered = new AbortController();
  if (viewOfHash() !== 'sign-in') return;
  try {
    const outcome = await passkeys.signInWithAutofill({signal: offered.signal});
    if (outcome) await proceed(outcome);
  } catch (error) {
    // A browser that has no passkey to offer ends the autofill; that is no news to the user.
    if (error.name === 'AbortError' || /^browser\.(?!offline|unanswered|wrong-origin)/.test(error.code)) return;
    await guide()(error).catch(show);
  }
};

addEventListener('hashchange', () => {
  tell(...newsOfMove ?? []);
  newsOfMove = undefined;
  takeLink();
  open(viewOfHash());
  offer();
});
byID('wrong-address').hidden = !pending.get()?.signUp;
const isLinked = takeLink();
if (viewOfHash() !== 'sign-in') open(viewOfHash(), false);
begin();

const news = memory.get('news');
memory.set('news', null);
if (news) tell(say(news), /^(expired|uncertain)$/.test(news) ? 'warn' : 'good');

const again = new URLSearchParams(location.search).get('again');

/** Whether this page sent the visitor to the same page a moment ago, and that page sent the visitor back. */
const isSentBack = () => {
  const [last, time] = JSON.parse(memory.get('sent') ?? '[]');
  memory.set('sent', JSON.stringify([target(), Date.now()]));
  // 10 seconds  [a page that loads, and no visitor who comes back later]
  return target() !== undefined && last === target() && Date.now() - time < 10_000;
};

/** Leads a visitor on who has a session: at once, or after what the page that sent the visitor asks for. */
const leadOn = async () => {
  if (isFramed) return go('signed-in');
  if (again === 'verify' && has('reverify-options') && await reverify('againWords')) return location.replace(destination());
  if (again) {
    tell(say('signInAgain'));
    return offer();
  }
  if (!isSentBack()) return location.replace(destination());
  byID('problem').replaceChildren(say('sentBack'), make('p', {class: 'links'},
    make('a', {href: target()}, say('retry')), make('a', {href: '/account'}, say('toAccount'))));
};

if (!Passkeys.isSupported) {
  byID('problem').replaceChildren(make('p', {}, say('unsupported')));
} else if (!isForeign) {
  // A page that found its session at an end has asked the server. This one does not send people back and forth.
  await resume().catch((error) => again && error.code === 'session.verification-required' || guide()(error))
    .then((found) => !found || isLinked || news === 'expired' ? offer() : leadOn()).catch(showFailure);
}
