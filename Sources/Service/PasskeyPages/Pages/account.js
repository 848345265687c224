// SPDX-License-Identifier: Apache-2.0
// The account: passkeys, sessions, devices, the address, export and erasure.

import {askFor, choose} from './dialog.js';
import {
  badge, begin, button, byID, current, day, distinct, fill, focus, has, leave, load, make, memory, nameOf,
  nameOfPasskey, onSubmit, onUnanswered, passkeys, pending, recover, requireSession, run, say, show, showFailure, softwareOf, tell,
  timeZone, when,
} from './ui.js';
import {service} from './site.js';

const account = await requireSession().catch((error) => {
  begin();
  showFailure(error);
  for (const list of document.querySelectorAll('[aria-busy=true]')) fill(list, [], '—');
  return null;
});

const words = (title, text, others) => ({title: say(title), text, isComplete: true, ...others});

/** Runs the work of a button of the page. */
const onClick = (id, work) => byID(id).addEventListener('click', ({currentTarget}) => run(currentTarget, work));

// Passkeys

let own = [];
// The end of the time in which this session may replace the last passkey without a confirmation, which no passkey could give.
let replacementEnd;

const isLone = () => !own.some(({disabled}) => !disabled);

/** Says what an account without a passkey can do. */
const showReplacement = async () => {
  replacementEnd = isLone() ? (await passkeys.session())?.session?.replacementEnd : undefined;
  byID('no-passkey').hidden = !isLone();
  byID('add').hidden = isLone() && !replacementEnd || !has('register-options') && !has('add-credential-options');
  byID('no-passkey').replaceChildren(...(replacementEnd ? [say('replaceUntil', {time: when(replacementEnd)})]
    : [make('p', {}, say('noPasskeyLeft')), button(say('recoverAccount'), recover)]));
};

/** Says what makes the account safer: after a recovery or a sign-in with another device, and as long as there is one passkey. */
const showNudge = () => {
  const count = own.filter(({disabled}) => !disabled).length;
  const reason = memory.get('nudge') ?? (count === 1 ? 'addSecond' : null);
  byID('nudge').hidden = !reason || count === 0 || byID('add').hidden;
  byID('nudge').textContent = reason ? say(reason) : '';
};

// 24 x 24 lines: a cloud, a screen, a USB key, and a passkey of which nothing is known.
const drawings = {
  synced: 'M7 18a4.5 4.5 0 1 1 .9-8.9A5.5 5.5 0 0 1 18.4 11 3.5 3.5 0 0 1 17.5 18zM12 17.5v-5m-2 2 2-2 2 2',
  device: 'M5 5h14v10H5zM3 19h18M10 15v4m4-4v4',
  key: 'M8 9h8v9a2 2 0 0 1-2 2h-4a2 2 0 0 1-2-2zM9.5 9V4h5v5M12 13v3',
  other: 'M9.5 4.5a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12.4 11.4l7.1 7.1m-3.3-3.3 2.3-2.3',
};

/** Draws the initials of a passkey's provider, or where the passkey is kept. The text beside it says the same. */
const icon = ({provider, backupEligible, transports = []}) => {
  if (provider) {
    const initials = provider.match(/[\p{L}\p{N}]+/gu).slice(0, 2).map((word) => word[0]).join('').toUpperCase();
    return make('span', {class: 'icon', 'aria-hidden': 'true'}, initials);
  }
  const place = backupEligible ? 'synced' : transports.includes('internal') ? 'device'
    : transports.some((one) => /usb|nfc|ble|smart-card/.test(one)) ? 'key' : 'other';
  const [svg, path] = ['svg', 'path'].map((name) => document.createElementNS('http://www.w3.org/2000/svg', name));
  svg.setAttribute('viewBox', '0 0 24 24');
  path.setAttribute('d', drawings[place]);
  svg.append(path);
  return make('span', {class: 'icon', 'aria-hidden': 'true'}, svg);
};

const passkeyRow = (passkey, name) => {
  const used = passkey.lastUsedAt ? say('lastUsed', {date: when(passkey.lastUsedAt)}) : say('neverUsed');
  return make('li', {class: 'row'},
    icon(passkey),
    make('div', {},
      make('div', {class: 'title'}, make('strong', {}, name),
        passkey.id === current?.session?.credentialId && badge(say('usedNow'), 'info'),
        passkey.backedUp ? badge(say('backedUp'), 'good')
          : passkey.backupEligible === false ? badge(say('oneDevice')) : badge(say('notBackedUp'), 'warn'),
        passkey.disabled && badge(say('disabled'), 'bad'),
        passkey.cloneSuspectedAt && badge(say('suspicious'), 'bad')),
      make('p', {class: 'meta'}, [passkey.provider !== passkey.name && passkey.provider,
        passkey.createdAt && say('created', {date: day(passkey.createdAt)}), used].filter(Boolean).join(' · ')),
      passkey.cloneSuspectedAt && make('p', {}, say('suspiciousWords'))),
    make('div', {class: 'actions'},
      has('rename-credential') && button(say('rename'), () => rename(passkey), {name: say('renameOne', {name})}),
      has('delete-credential') && button(say('remove'), () => remove(passkey),
        {name: say('removeOne', {name}), kind: 'danger'})));
};

const showPasskeys = () => load(byID('passkeys'), async () => {
  own = await passkeys.passkeys();
  const names = distinct(own.map(nameOfPasskey));
  fill(byID('passkeys'), own.map((passkey, index) => passkeyRow(passkey, names[index])), say('noPasskeys'));
  await showReplacement();
  showNudge();
});

const rename = async (passkey) => {
  const field = {name: 'name', label: say('newName'), value: passkey.name, required: true, maxLength: 64};
  const {name} = await askFor(say('renamePasskey'), [field]);
  await passkeys.renamePasskey(passkey.id, name);
  await showPasskeys();
  await showSessions();
  focus('passkeys-title');
  tell(say('renamed'));
};

const remove = async (passkey) => {
  const isLast = !own.some((other) => other !== passkey && !other.disabled);
  if (isLast) {
    const next = await choose(say('lastTitle'), say('lastPasskey'), [
      {label: say('removeAnyway'), kind: 'danger', value: confirmRemoval},
      ...(has('erase-account') ? [{label: say('erase'), kind: 'danger', value: erase}] : []),
      // The last button is the first one on a narrow screen.
      {label: say('addFirst'), kind: 'primary', value: add},
    ]);
    return next(passkey, isLast);
  }
  await confirmRemoval(passkey, isLast);
};

const confirmRemoval = async (passkey, isLast) => {
  const text = say('removeWords', {name: nameOfPasskey(passkey)});
  const warning = isLast ? say('lastPasskey') : say('removeOwnHint');
  await passkeys.asking(words('removePasskey', text, {warning, isDangerous: true}),
    () => passkeys.removePasskey(passkey.id, {allowLast: isLast || undefined}));
  await showPasskeys();
  await showSessions();
  focus('passkeys-title');
  tell(say('removed'));
};

/** The words of an action that needs no confirmation while the last passkey can be replaced. */
const ownWords = (title, text, others) => words(title, text, {signs: !replacementEnd, ...others});

const add = async () => {
  await passkeys.asking(ownWords('addPasskey', say(replacementEnd ? 'addOnlyWords' : 'addWords')), () => passkeys.addPasskey());
  memory.set('nudge', null);
  await showPasskeys();
  tell(say('added'));
};

onClick('add', add);

// Sessions

const means = ({credentialId}) => {
  const passkey = own.find(({id}) => id === credentialId);
  return passkey ? say('signedInWith', {name: nameOfPasskey(passkey)}) : say('removedPasskey');
};

const nameOfEnd = ({session}) => say('endOne', {name: softwareOf(session) ?? means(session), date: when(session.createdAt)});

const sessionRow = ({session}, label) => {
  const software = softwareOf(session);
  const facts = [
    software && means(session),
    say('started', {date: when(session.createdAt)}),
    session.lastSeenAt && say('lastActive', {date: when(session.lastSeenAt)}),
  ];
  return make('li', {class: 'row'},
    make('div', {},
      make('div', {class: 'title'}, make('strong', {}, software ?? means(session)),
        session.current && badge(say('thisSession'), 'info')),
      make('p', {class: 'meta'}, facts.filter(Boolean).join(' · '))),
    has('revoke-session') && button(say('end'), async () => {
      if (session.current) {
        await passkeys.signOut();
        return leave('signedOut');
      }
      await passkeys.call('revoke-session', {}, {id: session.id});
      await showSessions();
      focus('sessions-title');
      tell(say('ended'));
    }, {name: label}));
};

const showSessions = () => load(byID('sessions'), async () => {
  const {sessions} = await passkeys.call('sessions');
  sessions.sort((one, two) => Number(two.session.current) - Number(one.session.current));
  const names = distinct(sessions.map(nameOfEnd));
  fill(byID('sessions'), sessions.map((one, index) => sessionRow(one, names[index])), '—');
  if (byID('end-others')) byID('end-others').hidden = sessions.length < 2;
});

onClick('end-others', async () => {
  await passkeys.call('revoke-sessions', {'session.others': true});
  await showSessions();
  focus('sessions-title');
  tell(say('othersEnded'));
});

onClick('end-all', async () => {
  await passkeys.asking(words('endAllTitle', say('endAllWords'), {signs: false, isDangerous: true}),
    () => passkeys.call('revoke-sessions'));
  await leave('signedOut');
});

// Devices

const platforms = {ios: 'iOS', ipados: 'iPadOS', macos: 'macOS', android: 'Android', web: 'Web'};
const services = {apns: 'Apple', fcm: 'Google', webpush: 'Web Push'};

const nameOfDevice = ({device}) => platforms[device.platform?.toLowerCase()] ?? device.platform ?? say('unknownDevice');

const deviceRow = ({device}, name) => {
  return make('li', {class: 'row'},
    make('div', {}, make('strong', {}, name),
      make('p', {class: 'meta'}, [say('through', {service: services[device.service] ?? device.service}),
        say('created', {date: day(device.createdAt)}), device.timeZone].filter(Boolean).join(' · '))),
    has('revoke-device') && button(say('remove'), async () => {
      await passkeys.call('revoke-device', {}, {id: device.id});
      await showDevices();
      focus('devices-title');
      tell(say('deviceRemoved'));
    }, {kind: 'danger', name: say('removeOne', {name})}));
};

const showDevices = () => load(byID('devices'), async () => {
  const {devices} = await passkeys.call('devices');
  const names = distinct(devices.map(nameOfDevice));
  fill(byID('devices'), devices.map((one, index) => deviceRow(one, names[index])), say('noDevices'));
  // A person without devices needs no panel; one who has removed the last sees that.
  byID('devices-panel').hidden = !devices.length && byID('devices-panel').hidden;
});

// The address

let isVerified;

/** Shows the field for the code, as long as a verification waits for it, or what begins one. */
const showVerification = () => {
  const {email} = pending.get() ?? {};
  byID('begin-verification').hidden = isVerified || Boolean(email) || !has('begin-verification');
  byID('verify').hidden = !email;
  byID('verify-lead').textContent = say('verifyLead', {email});
};

const began = (token, email) => {
  pending.set({token, email});
  showVerification();
  byID('email-code').focus();
  tell(say('sent'), 'quiet');
};

const changeEmail = async (email) => {
  const {verification: {token}} = await passkeys.asking(words('changeEmailTitle', say('changeEmailWords', {email})),
    () => passkeys.call('change-email', {'account.email': email}));
  began(token, email);
};

const verifyEmail = async () => {
  const {verification: {token}} = await passkeys.call('begin-verification');
  began(token, byID('email').textContent);
};

onSubmit(byID('change-email'), ({email}) => changeEmail(email));
onClick('begin-verification', verifyEmail);

onClick('resend', () => {
  const {email} = pending.get() ?? {};
  // Another tab has ended the verification.
  if (!email) return showVerification();
  return email === byID('email').textContent ? verifyEmail() : changeEmail(email);
});

onClick('wrong-address', () => {
  pending.end();
  showVerification();
  byID('new-email').focus();
});

onSubmit(byID('verify'), async ({code}, form) => {
  try {
    await passkeys.verify(code.toUpperCase(), {token: pending.get()?.token});
  } catch (error) {
    if (error.code !== 'email.verification-unknown') throw error;
    pending.end();
    showVerification();
    throw error;
  }
  pending.end();
  form.hidden = true;
  form.reset();
  showAccount((await passkeys.session()).account);
  focus('email-title');
  tell(say('emailChanged'));
});

onClick('cancel-recovery', async () => {
  await passkeys.call('cancel-recovery');
  tell(say('recoveryCancelled'));
});

const showAccount = (found) => {
  byID('who').textContent = say('signedInAs', {name: nameOf(found)});
  byID('email-panel').hidden = !has('change-email');
  byID('recovery-row').hidden = !has('cancel-recovery');
  byID('email').textContent = found.email ?? '';
  isVerified = Boolean(found.emailVerifiedAt);
  byID('email-state').replaceChildren(badge(say(isVerified ? 'verified' : 'unverified'), isVerified ? 'good' : 'warn'));
  showVerification();
};

// Mails

/** Shows the language and the time zone of mails, if the service lets people choose them. */
const showMails = async (found) => {
  const {request} = service.endpoints['set-preferences'] ?? {};
  if (!found.email || !has('change-email') || !JSON.stringify(request ?? '').includes('$mail.language')) return;
  const {mail} = await passkeys.call('preferences');
  const languages = [...document.querySelectorAll('footer [hreflang]')];
  const chosen = languages.some(({lang}) => lang === mail?.language) ? mail.language : 'en';
  fill(byID('mail-language'), languages.map(({lang, textContent}) =>
    make('option', {value: lang, selected: lang === chosen}, textContent)));
  const zone = mail?.timeZone ?? 'UTC';
  byID('mail-zone').textContent = [say('mailZone', {zone}), zone !== timeZone && say('ownZone', {zone: timeZone})]
    .filter(Boolean).join(' ');
  byID('mails-panel').hidden = false;
};

onSubmit(byID('mails'), async ({language}) => {
  const {preferences} = await passkeys.call('preferences');
  const save = (zone) => passkeys.call('set-preferences', {preferences, 'mail.language': language, 'mail.timeZone': zone});
  // The server's system may lack a zone that the browser knows.
  await save(timeZone).catch((error) => error.code === 'account.preferences-invalid' ? save() : Promise.reject(error));
  await showMails(account);
  tell(say('saved'));
});

// Data

onClick('export', async () => {
  const found = await passkeys.asking(ownWords('export', say('exportWords')), () => passkeys.call('export-account'));
  const url = URL.createObjectURL(new Blob([JSON.stringify(found.export, null, 2)], {type: 'application/json'}));
  make('a', {href: url, download: 'account.json'}).click();
  URL.revokeObjectURL(url);
  tell(say('exported'));
});

const erase = async () => {
  await passkeys.asking(ownWords('erase', say('eraseWords', {name: nameOf(account)}), {warning: say('forEver'), isDangerous: true}),
    () => passkeys.call('erase-account'));
  await leave('erased');
};

onClick('erase', erase);

/** Loads the lists. */
const showLists = async () => {
  await Promise.all([has('credentials') && showPasskeys(), has('devices') && showDevices(), showMails(account).catch(show)]);
  if (has('sessions')) await showSessions();
};

onUnanswered(async () => {
  const found = await passkeys.session().catch(() => null);
  if (found) showAccount(found.account);
  await showLists();
});

if (account) {
  showAccount(account);
  byID('passkeys-panel').hidden = !has('credentials');
  byID('sessions-panel').hidden = !has('sessions');
  for (const id of ['end-others', 'end-all']) if (!has('revoke-sessions')) byID(id).remove();
  byID('data-panel').hidden = !has('export-account') && !has('erase-account');
  byID('export').parentElement.hidden = !has('export-account');
  byID('erase').parentElement.hidden = !has('erase-account');
  await showLists();
}
