// SPDX-License-Identifier: Apache-2.0
// Administration: approvals, users, the audit feed, the outbox, and the state of the server.

import {administration} from './administration.js';
import {askFor, showCode} from './dialog.js';
import {language, service, text} from './site.js';
import {
  badge, button, byID, day, fill, focus, has, load, make, nameOf, onSubmit, onUnanswered, passkeys, requireSession, run, say,
  show, tell, when,
} from './ui.js';

Object.assign(service.endpoints, administration.endpoints);

const tones = {active: 'good', pending: 'warn', disabled: 'bad', rejected: 'bad'};
const rolesIn = (text) => text.split(',').map((role) => role.trim()).filter(Boolean);
const onClick = (id, work) => byID(id).addEventListener('click', ({currentTarget}) => run(currentTarget, work));

/** Runs an endpoint after the administrator has read what it does. */
const act = (title, text, endpoint, values = {}, options = {}) => passkeys.asking(
  {title: say(title), text, isDangerous: options.isDangerous, warning: options.warning},
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
  const name = passkey.name || passkey.provider || say('unnamed');
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
    await act('setRoles', say('rolesWords', {name, roles: wanted.join(', ') || say('noRoles')}),
      has('set-roles') ? 'set-roles' : 'update-user', {'account.roles': wanted}, of);
    await changed();
  });
  const actions = make('div', {class: 'actions'},
    account.state === 'pending' && button(say('approve'), async () => {
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
      const issued = await act('recoverUser', say('recoverWords', {name}), 'recover-user', {}, of);
      await present('recoveryCode', issued);
    }),
    account.state === 'active' && canChange('disable-user') && button(say('disable'), async () => {
      await changeState('disable-user', 'disabled', 'disable', say('disableWords', {name}), danger);
      await changed();
    }, {kind: 'danger'}));
  if (has('user-credentials')) refresh();
  return make('div', {class: 'inner'}, actions, (has('set-roles') || has('update-user')) && form,
    has('user-credentials') && make('h3', {}, say('passkeys')), has('user-credentials') && list);
};

/** Shows a code once. */
const present = (title, {code}) => showCode(say(title), code.value, say('issued', {date: when(code.expiresAt)}));

const accountRow = ({account}) => {
  const summary = make('summary', {}, make('strong', {}, nameOf(account)), ' ',
    badge(say(`state.${account.state}`), tones[account.state]), ' ',
    (account.roles ?? []).map((role) => [badge(role, 'info'), ' ']).flat(),
    account.createdAt && make('span', {class: 'meta'}, say('joined', {date: day(account.createdAt)})));
  const details = make('details', {}, summary);
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) details.append(accountDetails(account, async () => {
      await showAccounts();
      focus('users-title');
      tell(say('done'));
    }));
  });
  return make('li', {}, details);
};

let latestSearch;

/** Shows the accounts that the server finds. An earlier answer that arrives later is not shown. */
const showAccounts = (isMore = false) => load(byID('people'), async () => {
  const search = latestSearch = {};
  const page = await passkeys.call('users', {
    'account.state': byID('state').value || undefined, 'account.prefix': byID('find-user').value.trim() || undefined,
    'page.after': isMore ? next : undefined,
  });
  if (search !== latestSearch) return;
  next = page.page?.next;
  accounts = isMore ? [...accounts, ...page.users] : page.users;
  fill(byID('people'), accounts.map(accountRow), say('noUsers'));
  byID('more').hidden = !next;
});

byID('state').addEventListener('change', () => showAccounts());
byID('find-user').addEventListener('input', () => showAccounts());
onClick('more', () => showAccounts(true));

onClick('invite', async () => {
  const {email, roles} = await askFor(say('inviteTitle'), [
    {name: 'email', label: say('emailOptional'), type: 'email'}, {name: 'roles', label: say('rolesOptional')},
  ], say('invite'));
  const issued = await act('invite', say('inviteWords', {name: email || say('anyone')}), 'invite-user',
    {'account.email': email || undefined, 'account.roles': roles ? rolesIn(roles) : undefined}, {id: 'new'});
  await present('inviteCode', issued);
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
  return make('li', {class: 'row'},
    make('div', {}, make('strong', {}, name),
      make('p', {class: 'meta'}, account.createdAt ? say('joined', {date: when(account.createdAt)}) : '')),
    make('div', {class: 'actions'},
      button(say('approve'), decide('approve-user', 'active', 'approve', say('approveWords', {name})), {kind: 'primary'}),
      canChange('reject-user') && button(say('reject'),
        decide('reject-user', 'rejected', 'reject', say('rejectWords', {name}), {isDangerous: true}), {kind: 'danger'})));
};

const showPending = () => load(byID('pending'), async () => {
  const {users} = await passkeys.call('users', {'account.state': 'pending'});
  fill(byID('pending'), users.map(pendingRow), say('noApprovals'));
  byID('pending-count').textContent = users.length;
  byID('pending-count').hidden = !users.length;
});

// Audit

let changes = [];
let names = new Map();

const nameOfActor = (actor) => actor === 'server' ? say('server') : names.get(actor) ?? actor;

/** Replaces the identifiers of known accounts by their names. */
const readable = (text = '') => [...names].reduce((result, [id, name]) => result.replaceAll(id, name), text);

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

const showChanges = () => {
  const wanted = byID('find-change').value.trim().toLowerCase();
  const kind = byID('kind').value;
  const since = byID('since').value && new Date(`${byID('since').value}T00:00`);
  const found = changes.filter((change) => (!since || new Date(change.time) >= since) && (!kind || sentenceOfChange(change) === kind)
    && [sentenceOfChange(change), readable(change.details), nameOfActor(change.actor)].join(' ').toLowerCase().includes(wanted));
  fill(byID('changes'), found.map((change) => make('li', {},
    make('div', {class: 'title'}, make('strong', {}, sentenceOfChange(change))),
    make('p', {class: 'meta'}, [when(change.time), change.actor && say('by', {actor: nameOfActor(change.actor)})].filter(Boolean).join(' · ')),
    change.details && make('p', {class: 'meta mono'}, readable(change.details)))), say('noChanges'));
};

/** Loads the changes of the chosen account and actor: the server looks for them further back than its page of recent ones. */
const loadChanges = () => load(byID('changes'), async () => {
  const chosen = {'change.account': byID('change-account').value || undefined, 'change.actor': byID('change-actor').value || undefined};
  const [found, {users}] = await Promise.all([passkeys.call('changes', chosen), passkeys.call('users')]);
  changes = found.changes.map(({change}) => change);
  names = new Map(users.map(({account}) => [account.id, nameOf(account)]));
  offer('kind', changes.map(sentenceOfChange), (sentence) => sentence);
  const administrators = users.filter(({account}) => account.roles?.includes('admin') || account.isAdministrator);
  offer('change-account', [...names.keys(), ...changes.map(({account}) => account)], nameOfActor);
  offer('change-actor', ['server', ...administrators.map(({account}) => account.id), ...changes.map(({actor}) => actor)], nameOfActor);
  showChanges();
});

/** Opens the audit feed with the changes of one account. */
const showChangesOf = (account) => {
  for (const id of ['kind', 'change-actor', 'since', 'find-change']) byID(id).value = '';
  offer('change-account', [account.id], () => nameOf(account));
  byID('change-account').value = account.id;
  location.hash = 'audit';
};

for (const id of ['find-change', 'since', 'kind']) byID(id).addEventListener('input', showChanges);
for (const id of ['change-account', 'change-actor']) byID(id).addEventListener('change', loadChanges);

// Outbox

const noticeRow = ({notice}) => {
  const isDead = Boolean(notice.diedAt);
  const only = {'notice.id': notice.id, 'notice.destination': notice.destination};
  const facts = [notice.event, notice.destination, when(notice.time), notice.failures > 0 && say('failures', {count: notice.failures}),
    !isDead && notice.dueAt && say('due', {date: when(notice.dueAt)})];
  return make('li', {class: 'row'},
    make('div', {}, make('div', {class: 'title'}, make('strong', {}, sentenceOfEvent(notice.event)), badge(say(`notice.${notice.state}`), isDead ? 'bad' : '')),
      make('p', {class: 'meta'}, facts.filter(Boolean).join(' · ')),
      notice.reason && make('p', {class: 'meta mono'}, notice.reason)),
    make('div', {class: 'actions'},
      button(say('deliverAgain'), change('retry-outbox', 'deliverAgain', 'retryWords', only)),
      button(say('drop'), change('drop-outbox', 'drop', 'dropWords', only, true), {kind: 'danger'})));
};

const showNotices = () => load(byID('notices'), async () => {
  const {notices} = await passkeys.call('outbox', {'notice.deadOnly': byID('dead').checked || undefined});
  fill(byID('notices'), notices.map(noticeRow), say('noNotices'));
});

const change = (endpoint, title, text, values, isDangerous) => async () => {
  await act(title, say(text), endpoint, values, {isDangerous});
  await showNotices();
  focus('outbox-title');
  tell(say('done'));
};

byID('dead').addEventListener('change', showNotices);
onClick('retry-dead', change('retry-outbox', 'retryDead', 'retryDeadWords', {'notice.deadOnly': true}));
onClick('drop-dead', change('drop-outbox', 'dropDead', 'dropDeadWords', {'notice.deadOnly': true}, true));

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

const sections = {approvals: showPending, users: showAccounts, audit: loadChanges, outbox: showNotices, health: showHealth};

const open = (isMove) => {
  const wanted = sections[location.hash.slice(1)] ? location.hash.slice(1) : 'approvals';
  for (const id of Object.keys(sections)) {
    byID(id).hidden = id !== wanted;
    const tab = document.querySelector(`.tabs a[href="#${id}"]`);
    if (id === wanted) tab.setAttribute('aria-current', 'true');
    else tab.removeAttribute('aria-current');
  }
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
  byID('search').hidden = !Object.values(service.endpoints.users?.query ?? {}).includes('$account.prefix');
  onUnanswered(() => open());
  addEventListener('hashchange', () => {
    tell();
    open(true);
  });
  if (byID('approvals').hidden === false && location.hash.slice(1) in sections && location.hash !== '#approvals') {
    await Promise.all([showPending(), open()]);
  } else await open();
} catch (error) {
  show(error);
}
