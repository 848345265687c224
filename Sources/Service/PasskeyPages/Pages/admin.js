// SPDX-License-Identifier: Apache-2.0
// Administration: approvals, users, the audit feed, the outbox, and the state of the server.

import {administration, words} from './administration.js';
import {askFor, showCode} from './dialog.js';
import {language, service, text} from './site.js';
import {
  badge, begin, button, byID, day, distinct, exactly, fill, focus, has, load, make, nameOf, nameOfPasskey, onSubmit, onUnanswered, passkeys,
  requireSession, run, say, showFailure, softwareOf, tell, when,
} from './ui.js';

Object.assign(service.endpoints, administration.endpoints);
Object.assign(text, words);

const tones = {active: 'good', pending: 'warn', disabled: 'bad', rejected: 'bad'};
const listed = (roles = []) => roles.join(', ') || say('noRoles');
const rolesIn = (text) => text.split(',').map((role) => role.trim()).filter(Boolean);

/** A button of a row, whose name screen readers tell apart from that of other rows. */
const rowButton = (label, name, work, kind) => button(label, work, {kind, name: `${label}: ${name}`});

const onClick = (id, work) => byID(id).addEventListener('click', ({currentTarget}) => run(currentTarget, work));

/** Runs an endpoint after the administrator has read what it does. */
const act = (title, text, endpoint, values = {}, options = {}) => passkeys.asking(
  {title: say(title), text, isComplete: true, isDangerous: options.isDangerous, warning: options.warning},
  () => passkeys.call(endpoint, values, options));

/** Changes the state of an account, by an endpoint of its own or by the one that sets any state. */
const changeState = (endpoint, state, ...others) =>
  has(endpoint) ? act(...others.slice(0, 2), endpoint, {}, others[2])
    : act(...others.slice(0, 2), 'update-user', {'account.state': state}, others[2]);

const canChange = (endpoint) => has(endpoint) || has('update-user');

// Accounts

let accounts = [];
let next;

const passkeyRow = (account, passkey, isLast, refresh) => {
  const name = nameOfPasskey(passkey);
  return make('li', {class: 'row'},
    make('div', {}, make('strong', {}, name), make('p', {class: 'meta'}, [passkey.provider,
      passkey.lastUsedAt ? say('lastUsed', {date: when(passkey.lastUsedAt)}) : say('neverUsed')].filter(Boolean).join(' · '))),
    has('delete-user-credential') && button(say('remove'), async () => {
      await act('removePasskey', say('removeUserPasskey', {passkey: name, name: nameOf(account)}), 'delete-user-credential',
        {'credential.allowLast': isLast || undefined},
        {id: account.id, credential: passkey.id, isDangerous: true, warning: isLast && say('lastOfUser')});
      await refresh();
      tell(say('removed'));
    }, {kind: 'danger', name: say('removeOne', {name})}));
};

const accountDetails = (account, changed) => {
  const name = nameOf(account);
  const of = {id: account.id};
  const danger = {...of, isDangerous: true};
  const list = make('ul', {class: 'rows'});
  const refresh = () => load(list, async () => {
    const {credentials} = await passkeys.call('user-credentials', {}, of);
    fill(list, credentials.map(({credential}) =>
      passkeyRow(account, credential, credentials.length === 1, refresh)), say('noPasskeys'));
  });
  const roles = make('input', {id: `roles-${account.id}`, name: 'roles', value: account.roles?.join(', '), autocomplete: 'off'});
  const form = make('form', {}, make('label', {for: roles.id}, say('roles')),
    make('div', {class: 'field'}, roles, make('button', {}, say('setRoles'))));
  onSubmit(form, async ({roles: text}) => {
    const wanted = rolesIn(text);
    await act('setRoles', say('rolesWords', {name, roles: listed(wanted), before: listed(account.roles)}),
      has('set-roles') ? 'set-roles' : 'update-user', {'account.roles': wanted}, of);
    await changed();
  });
  const actions = make('div', {class: 'actions'},
    ['pending', 'rejected'].includes(account.state) && button(say('approve'), async () => {
      await changeState('approve-user', 'active', 'approve', say('approveWords', {name}), of);
      await changed();
    }, {kind: 'primary'}),
    account.state === 'disabled' && canChange('enable-user') && button(say('enable'), async () => {
      await changeState('enable-user', 'active', 'enable', say('enableWords', {name}), of);
      await changed();
    }),
    has('revoke-user-sessions') && button(say('endSessions'), async () => {
      await passkeys.asking({title: say('endSessions'), text: say('endSessionsWords', {name}), signs: false},
        () => passkeys.call('revoke-user-sessions', {}, of));
      tell(say('done'));
    }),
    has('changes') && button(say('changesOf'), () => showChangesOf(account)),
    has('recover-user') && button(say('recoverUser'), async () => {
      const issued = await act('recoverUser', say('recoverWords', {name}), 'recover-user', {}, danger);
      await present('recoveryCode', issued);
    }, {kind: 'danger'}),
    account.state === 'active' && canChange('disable-user') && button(say('disable'), async () => {
      await changeState('disable-user', 'disabled', 'disable', say('disableWords', {name}), danger);
      await changed();
    }, {kind: 'danger'}));
  if (has('user-credentials')) refresh();
  const link = has('user') && location.hash !== hashOf(account)
    && make('p', {class: 'links'}, make('a', {href: hashOf(account)}, say('openUser', {name})));
  return make('div', {class: 'inner'}, lacksRecovery(account) && make('p', {}, say('noRecoveryWords')), link, actions, (has('set-roles') || has('update-user')) && form,
    has('user-credentials') && make('h3', {}, say('passkeys')), has('user-credentials') && list);
};

/** Shows a code once, with a link to the page on which it is entered. */
const present = (title, {code}, link) =>
  showCode(say(title), code.value, say('issued', {date: when(code.expiresAt)}), link);

/** The page on which an invitation is accepted. The code is in the fragment, which no server sees. */
const linkOf = ({value}, email) =>
  `${location.origin}/#create?${new URLSearchParams({...(email && {email}), code: value})}`;

/** Whether the owner of an active account cannot recover it by mail. */
const lacksRecovery = (account) =>
  administration.recoversVerifiedOnly && account.state === 'active' && !account.emailVerifiedAt;

const accountRow = ({account}) => {
  const summary = make('summary', {}, make('strong', {}, nameOf(account)), ' ',
    badge(say(`state.${account.state}`), tones[account.state]), ' ',
    (account.roles ?? []).map((role) => [badge(role, 'info'), ' ']).flat(),
    lacksRecovery(account) && [badge(say('noRecovery'), 'warn'), ' '],
    account.createdAt && make('span', {class: 'meta'}, say('joined', {date: day(account.createdAt)})));
  // One is open at a time, so that the names of its buttons are those of one account.
  const details = make('details', {name: 'account'}, summary);
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) details.append(accountDetails(account, async () => {
      await showAccounts();
      focus('users-title');
      tell(say('done'));
    }));
  });
  return make('li', {}, details);
};

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

// 300 ms  [a search of a million names must not begin with each letter]
const typingPause = 300;

/** Downloads a table. A cell that a spreadsheet would take for a formula begins with an apostrophe. */
const download = (name, rows) => {
  const cell = (value) => `"${String(value ?? '').replace(/^[=+\-@\t\r]/, "'$&").replace(/"/g, '""')}"`;
  const text = rows.map((row) => row.map(cell).join(',')).join('\r\n');
  const url = URL.createObjectURL(new Blob(['\ufeff', text, '\r\n'], {type: 'text/csv'}));
  make('a', {href: url, download: name}).click();
  URL.revokeObjectURL(url);
};

/** Loads all pages of a list, for a download. */
const all = async (endpoint, values, member) => {
  const found = [];
  let after;
  do {
    const answer = await passkeys.call(endpoint, {...values, 'page.after': after}).catch((error) => {
      if (error.code !== 'http.too-many-requests') throw error;
      return pause(1000 * (error.retryAfter ?? 1));
    });
    found.push(...answer?.[member] ?? []);
    if (answer) after = answer.page?.next;
  } while (after);
  return found;
};

const showCount = (id, shown, page) => {
  if (page?.total !== undefined) byID(id).dataset.total = page.total;
  const {total} = byID(id).dataset;
  byID(id).textContent = total === undefined ? '' : say('shownOf', {count: shown, total});
};

// A user

const hashOf = ({id}) => `#user/${id}`;

const changeRow = (change) => make('li', {},
  make('div', {class: 'title'}, make('strong', {}, sentenceOfChange(change))),
  make('p', {class: 'meta'}, [exactly(change.time), change.actor && say('by', {actor: nameOfActor(change.actor)})].filter(Boolean).join(' · ')),
  change.details && make('p', {class: 'meta mono'}, readable(change.details)));

let latestUser;

const showUser = async () => {
  const asked = latestUser = {};
  const id = decodeURIComponent(location.hash.slice('#user/'.length));
  byID('user-title').textContent = say('oneUser');
  // The fields of an account have one place in the document.
  for (const part of ['people', 'user-details']) byID(part).replaceChildren();
  fill(byID('user-changes'), [], '');
  await load(byID('user-sessions'), async () => {
    const {account, sessions} = await passkeys.call('user', {}, {id});
    if (asked !== latestUser) return;
    byID('user-title').textContent = nameOf(account);
    byID('user-details').replaceChildren(
      make('p', {}, badge(say(`state.${account.state}`), tones[account.state]), ' ',
        account.createdAt && make('span', {class: 'meta'}, say('joined', {date: when(account.createdAt)}))),
      accountDetails(account, async () => {
        await showUser();
        focus('user-title');
        tell(say('done'));
      }));
    fill(byID('user-sessions'), sessions.map(({session}) => make('li', {}, make('p', {}, [
      softwareOf(session),
      say('started', {date: when(session.createdAt)}),
      session.lastSeenAt && say('lastActive', {date: when(session.lastSeenAt)}),
    ].filter(Boolean).join(' · ')))), say('noSessions'));
  });
  if (!has('changes')) return;
  await load(byID('user-changes'), async () => {
    const found = await passkeys.call('changes', {'change.account': id});
    if (asked !== latestUser) return;
    learn(found.changes);
    fill(byID('user-changes'), found.changes.map(({change}) => changeRow(change)), say('noChanges'));
  });
};

let latestSearch;

const wantedUsers = () => ({
  'account.state': byID('state').value || undefined, 'account.prefix': byID('find-user').value.trim() || undefined,
  'account.role': byID('role').value.trim() || undefined, 'page.sort': byID('order').value,
});

/** Shows the accounts that the server finds. An earlier answer that arrives later is not shown. */
const showAccounts = (isMore = false) => load(byID('people'), async () => {
  const search = latestSearch = {};
  const page = await passkeys.call('users', {...wantedUsers(), 'page.after': isMore ? next : undefined});
  if (search !== latestSearch) return;
  next = page.page?.next;
  accounts = isMore ? [...accounts, ...page.users] : page.users;
  for (const {account} of accounts) names.set(account.id, nameOf(account));
  fill(byID('people'), accounts.map(accountRow), say('noUsers'));
  byID('more').hidden = !next;
  showCount('people-count', accounts.length, page.page);
});

for (const id of ['state', 'order']) byID(id).addEventListener('change', () => showAccounts());
let typing;
for (const id of ['find-user', 'role']) {
  byID(id).addEventListener('input', () => {
    clearTimeout(typing);
    latestSearch = undefined;
    typing = setTimeout(() => showAccounts(), typingPause);
  });
}
onClick('more', () => showAccounts(true));

onClick('users-csv', async () => {
  const found = await all('users', wantedUsers(), 'users');
  download('users.csv', [['id', 'email', 'username', 'state', 'roles', 'createdAt'], ...found.map(({account}) =>
    [account.id, account.email, account.username, account.state, account.roles?.join(' '), account.createdAt])]);
  tell(say('downloaded', {count: found.length}));
});

onClick('invite', async () => {
  const {email, roles} = await askFor(say('inviteTitle'), [
    {name: 'email', label: say('emailOptional'), type: 'email'}, {name: 'roles', label: say('rolesOptional')},
  ], say('invite'));
  const isMailed = Boolean(email && administration.mailsInvitations);
  const words = say(isMailed ? 'inviteMailWords' : 'inviteWords', {name: email || say('anyone')});
  const issued = await act('invite', words, 'invite-user', {
    'account.email': email || undefined, 'account.roles': roles ? rolesIn(roles) : undefined,
    'code.byMail': isMailed || undefined,
  }, {id: 'new'});
  if (isMailed) tell(say('inviteSent', {date: when(issued.code.expiresAt)}));
  else await present('inviteCode', issued, linkOf(issued.code, email));
});

// Approvals

const pendingRow = ({account}) => {
  const name = nameOf(account);
  const decide = (endpoint, state, title, text, others) => async () => {
    await changeState(endpoint, state, title, text, {id: account.id, ...others});
    await showPending();
    focus('approvals-title');
    tell(say('done'));
  };
  const box = has('approve-users') && make('input', {type: 'checkbox', value: account.id, 'aria-label': say('selectOne', {name})});
  if (box) box.addEventListener('change', showSelection);
  return make('li', {class: 'row'},
    make('div', {}, make('div', {class: 'title'}, box, make('strong', {}, name)),
      make('p', {class: 'meta'}, account.createdAt ? say('joined', {date: when(account.createdAt)}) : '')),
    make('div', {class: 'actions'},
      rowButton(say('approve'), name, decide('approve-user', 'active', 'approve', say('approveWords', {name}))),
      canChange('reject-user') && rowButton(say('reject'), name,
        decide('reject-user', 'rejected', 'reject', say('rejectWords', {name}), {isDangerous: true}), 'danger')));
};

const boxes = () => [...byID('pending').querySelectorAll('input')];

const showSelection = () => {
  const count = boxes().filter(({checked}) => checked).length;
  byID('approve-several').hidden = !count;
  byID('approve-several').textContent = say('approveSelected', {count});
};

let waiting = [];

const showPending = () => load(byID('pending'), async () => {
  // One confirmation approves as many as the service accepts in a request.
  const {users, page} = await passkeys.call('users', {'account.state': 'pending', 'page.limit': 64});
  waiting = users.map(({account}) => account);
  fill(byID('pending'), users.map(pendingRow), say('noApprovals'));
  byID('pending-count').textContent = page?.total ?? users.length;
  byID('pending-count').hidden = !users.length;
  byID('several').hidden = boxes().length < 2;
  showSelection();
});

onClick('select-all', () => {
  const isAll = boxes().every(({checked}) => checked);
  for (const box of boxes()) box.checked = !isAll;
  showSelection();
});

onClick('approve-several', async () => {
  const ids = boxes().filter(({checked}) => checked).map(({value}) => value);
  const names = waiting.filter(({id}) => ids.includes(id)).map(nameOf).join(', ');
  const {users} = await act('approve', say('approveManyWords', {count: ids.length, names}), 'approve-users', {'account.ids': ids});
  await showPending();
  focus('approvals-title');
  tell(say('approvedMany', {count: users.length}));
});

// Audit

let changes = [];
const names = new Map();

const nameOfActor = (actor) => actor === 'server' ? say('server') : names.get(actor) ?? actor;

/** Replaces the identifiers of known accounts by their names. */
const readable = (text = '') => [...names].reduce((result, [id, name]) => result.replaceAll(id, () => name), text);

/** Offers values in a filter, beside those that it has. */
const offer = (id, values, nameOf) => {
  const known = [...byID(id).options].map(({value}) => value);
  byID(id).append(...[...new Set(values)].filter((value) => value && !known.includes(value))
    .map((value) => [nameOf(value), value]).sort(([one], [two]) => one.localeCompare(two, language))
    .map(([name, value]) => make('option', {value}, name)));
};

/** An event in the language of the page; the text of the server for those of another program. */
const sentenceOfEvent = (event, other = event) => text[`event.${event}`] ?? other;

const sentenceOfChange = ({event, summary}) => sentenceOfEvent(event, summary);

let nextChange, latestChanges, foundAdministrators;

/** Remembers the names that come with changes. */
const learn = (found) => {
  for (const {change} of found) {
    if (change.accountName) names.set(change.account, change.accountName);
    if (change.actorName) names.set(change.actor, change.actorName);
  }
};

/** Whether a change has the words that are searched for. */
const hasSearchedWords = (change) => [sentenceOfChange(change), readable(change.details), nameOfActor(change.actor)]
  .join(' ').toLowerCase().includes(byID('find-change').value.trim().toLowerCase());

const showChanges = () => {
  const kind = byID('kind').value;
  const since = byID('since').value && new Date(`${byID('since').value}T00:00`);
  const found = changes.filter((change) => (!since || new Date(change.time) >= since) && (!kind || change.event === kind)
    && hasSearchedWords(change));
  fill(byID('changes'), found.map(changeRow), say(nextChange ? 'noChangesYet' : 'noChanges'));
  byID('more-changes').hidden = !nextChange;
};

const wantedChanges = () => ({
  'change.account': byID('change-account').value || undefined, 'change.actor': byID('change-actor').value || undefined,
  'change.event': byID('kind').value || undefined,
  'change.since': byID('since').value ? new Date(`${byID('since').value}T00:00`).toISOString().replace(/\.\d+/, '') : undefined,
});

/** Loads changes that the server finds with the filters. */
const loadChanges = (isMore = false) => load(byID('changes'), async () => {
  const asked = latestChanges = {};
  // The administrators are asked for once, because the service looks at all accounts for them.
  const [found, {users}] = await Promise.all([
    passkeys.call('changes', {...wantedChanges(), 'page.after': isMore ? nextChange : undefined}),
    foundAdministrators ?? passkeys.call('users', {'account.role': 'admin'}),
  ]);
  foundAdministrators = {users};
  if (asked !== latestChanges) return;
  learn(found.changes);
  nextChange = found.page?.next;
  const loaded = found.changes.map(({change}) => change);
  changes = isMore ? [...changes, ...loaded] : loaded;
  const administrators = users.filter(({account}) => account.roles?.includes('admin') || account.isAdministrator);
  for (const {account} of administrators) names.set(account.id, nameOf(account));
  offer('kind', changes.map(({event}) => event), (event) => sentenceOfEvent(event, changes.find((one) => one.event === event)?.summary));
  offer('change-account', changes.map(({account}) => account), nameOfActor);
  offer('change-actor', ['server', ...administrators.map(({account}) => account.id), ...changes.map(({actor}) => actor)], nameOfActor);
  showChanges();
});

onClick('more-changes', () => loadChanges(true));

onClick('changes-csv', async () => {
  const answered = await all('changes', wantedChanges(), 'changes');
  learn(answered);
  const found = answered.filter(({change}) => hasSearchedWords(change));
  download('audit.csv', [['time', 'event', 'actor', 'actorName', 'account', 'accountName', 'details'], ...found.map(({change}) =>
    [change.time, change.event, change.actor, change.actorName, change.account, change.accountName, change.details])]);
  tell(say('downloaded', {count: found.length}));
});

/** Opens the audit feed with the changes of one account. */
const showChangesOf = (account) => {
  for (const id of ['kind', 'change-actor', 'since', 'find-change']) byID(id).value = '';
  offer('change-account', [account.id], () => nameOf(account));
  byID('change-account').value = account.id;
  names.set(account.id, nameOf(account));
  location.hash = 'audit';
};

byID('find-change').addEventListener('input', showChanges);
for (const id of ['since', 'kind']) {
  byID(id).addEventListener('input', () => {
    showChanges();
    loadChanges();
  });
}
for (const id of ['change-account', 'change-actor']) byID(id).addEventListener('change', () => loadChanges());

// Outbox

const noticeRow = (notice, name) => {
  const isDead = Boolean(notice.diedAt);
  const only = {'notice.id': notice.id, 'notice.destination': notice.destination};
  const whom = notice.account ? names.get(notice.account) ?? notice.account : say('noAccount');
  const about = (key) => say(key, {name: whom});
  const subject = notice.account && has('user') ? make('a', {href: hashOf({id: notice.account})}, about('subject')) : about('subject');
  const facts = [notice.event, notice.destination, when(notice.time), notice.failures > 0 && say('failures', {count: notice.failures}),
    !isDead && notice.dueAt && say('due', {date: when(notice.dueAt)})];
  return make('li', {class: 'row'},
    make('div', {}, make('div', {class: 'title'}, make('strong', {}, sentenceOfEvent(notice.event)), badge(say(`notice.${notice.state}`), isDead ? 'bad' : '')),
      make('p', {class: 'meta'}, subject, ' · ', facts.filter(Boolean).join(' · ')),
      notice.reason && make('p', {class: 'meta mono'}, notice.reason)),
    make('div', {class: 'actions'},
      rowButton(say('deliverAgain'), name, change('retry-outbox', 'deliverAgain', about('retryWords'), only)),
      rowButton(say('drop'), name, change('drop-outbox', 'drop', about('dropWords'), only, true), 'danger')));
};

let loadedNotices = [];
let nextNotice, latestNotices;

const wantedNotices = () => ({'notice.deadOnly': byID('dead').checked || undefined});

const showNotices = (isMore = false) => load(byID('notices'), async () => {
  const asked = latestNotices = {};
  const {notices, page} = await passkeys.call('outbox', {...wantedNotices(), 'page.after': isMore ? nextNotice : undefined});
  if (asked !== latestNotices) return;
  nextNotice = page?.next;
  loadedNotices = isMore ? [...loadedNotices, ...notices] : notices;
  const names = distinct(loadedNotices.map(({notice}) => sentenceOfEvent(notice.event)));
  fill(byID('notices'), loadedNotices.map(({notice}, index) => noticeRow(notice, names[index])), say('noNotices'));
  const canHaveDead = Boolean(nextNotice) || loadedNotices.some(({notice}) => notice.diedAt);
  for (const id of ['retry-dead', 'drop-dead']) byID(id).hidden = !canHaveDead;
  byID('more-notices').hidden = !nextNotice;
  showCount('notice-count', loadedNotices.length, page);
});

onClick('more-notices', () => showNotices(true));

onClick('notices-csv', async () => {
  const found = await all('outbox', wantedNotices(), 'notices');
  download('outbox.csv', [['number', 'id', 'event', 'destination', 'state', 'failures', 'time', 'dueAt', 'diedAt', 'reason'],
    ...found.map(({notice}) => [notice.number, notice.id, notice.event, notice.destination, notice.state, notice.failures,
      notice.time, notice.dueAt, notice.diedAt, notice.reason])]);
  tell(say('downloaded', {count: found.length}));
});

const change = (endpoint, title, text, values, isDangerous) => async () => {
  await act(title, text, endpoint, values, {isDangerous});
  await showNotices();
  focus('outbox-title');
  tell(say('done'));
};

byID('dead').addEventListener('change', () => showNotices());
onClick('retry-dead', change('retry-outbox', 'retryDead', say('retryDeadWords'), {'notice.deadOnly': true}));
onClick('drop-dead', change('drop-outbox', 'dropDead', say('dropDeadWords'), {'notice.deadOnly': true}, true));

// Health

const check = async (route, title, text) => {
  const isWorking = await passkeys.fetch(route).then(({ok}) => ok, () => false);
  return make('li', {class: 'row'},
    make('div', {}, make('strong', {}, say(title)), make('p', {}, say(text))),
    badge(say(isWorking ? 'ok' : 'notOK'), isWorking ? 'good' : 'bad'));
};

const showHealth = () => load(byID('checks'), async () => {
  const {health, readiness} = administration;
  fill(byID('checks'), await Promise.all([
    health && check(health, 'running', 'runningLead'), readiness && check(readiness, 'ready', 'readyLead'),
  ].filter(Boolean)), '—');
});

// Sections

const sections = Object.assign(Object.create(null), {
  approvals: () => showPending(), users: () => showAccounts(), user: () => showUser(), audit: () => loadChanges(),
  outbox: () => showNotices(), health: () => showHealth(),
});

const sectionOfHash = () => location.hash.slice(1).split('/')[0];

const open = (isMove) => {
  const wanted = sections[sectionOfHash()] ? sectionOfHash() : 'approvals';
  for (const id of Object.keys(sections)) {
    byID(id).hidden = id !== wanted;
    const tab = document.querySelector(`.tabs a[href="#${id}"]`);
    if (id === wanted || id === 'users' && wanted === 'user') tab?.setAttribute('aria-current', 'true');
    else tab?.removeAttribute('aria-current');
  }
  if (wanted !== 'user') byID('user-details').replaceChildren();
  if (isMove) focus(`${wanted}-title`);
  return sections[wanted]();
};

for (const refresh of document.querySelectorAll('.refresh')) {
  refresh.addEventListener('click', () => run(refresh, () => open()));
}
for (const form of document.querySelectorAll('.filters')) form.addEventListener('submit', (event) => event.preventDefault());

try {
  await requireSession();
  byID('outbox-tab').hidden = !has('outbox');
  byID('invite').hidden = !has('invite-user');
  const offered = Object.values(service.endpoints.users?.query ?? {});
  byID('search').hidden = !offered.includes('$account.prefix');
  byID('by-role').hidden = !offered.includes('$account.role');
  byID('by-order').hidden = !offered.includes('$page.sort');
  onUnanswered(() => open());
  addEventListener('hashchange', () => {
    tell();
    open(true);
  });
  if (byID('approvals').hidden === false && sectionOfHash() in sections && location.hash !== '#approvals') {
    await Promise.all([showPending(), open()]);
  } else await open();
} catch (error) {
  begin();
  showFailure(error);
}
