// SPDX-License-Identifier: Apache-2.0
//
// Shows the host's question and sends the answer. Everything that a page or a passkey names is set as text.

const element = (id) => document.getElementById(id);
const port = chrome.runtime.connect({ name: 'approval' });

/** The question on display; null before the first and after an answer. */
let question = null;

// A key that was meant for the page must not approve: 500 ms, as browsers guard their own prompts.
const guard = 500;
/** The timer of the guard. */
let timer = 0;

const titles = {
  create: 'Create a passkey?',
  signIn: 'Sign in?',
  choose: 'Which passkey?',
  revealExisting: 'Tell the site that there is a passkey already?',
  pin: 'Type the PIN of the device',
};
const actions = { create: 'Create', signIn: 'Sign in', choose: 'Use', revealExisting: 'Tell', pin: 'Continue' };

function show(asked) {
  question = asked;
  const { kind } = asked;
  element('title').textContent = titles[kind];
  element('origin').textContent = asked.origin;
  element('rp').textContent = asked.rpId ?? 'a site that uses U2F';
  element('user').textContent = asked.user ?? '';
  element('user').hidden = element('user-label').hidden = !asked.user;
  element('embedded').hidden = !asked.isEmbedded;
  element('approve').textContent = actions[kind];
  showChoices(kind === 'choose' ? asked.users : []);
  element('pin-label').hidden = kind !== 'pin';
  element('pin').value = '';
  element('pin').required = kind === 'pin';
  element('pin-text').textContent = asked.attemptsLeft == null ? 'PIN' : `PIN (${asked.attemptsLeft} attempts left)`;
  element('empty').hidden = true;
  element('form').hidden = false;
  arm();
  (kind === 'pin' ? element('pin') : element('refuse')).focus();
}

/** Enables the approving button, once the user has had time to see the question. */
function arm() {
  element('approve').disabled = true;
  clearTimeout(timer);
  timer = setTimeout(() => { element('approve').disabled = question === null; }, guard);
}

function showChoices(users) {
  const list = element('choices');
  list.hidden = users.length === 0;
  for (const label of list.querySelectorAll('label')) label.remove();
  users.forEach((user, index) => {
    const label = document.createElement('label');
    const button = document.createElement('input');
    button.type = 'radio';
    button.name = 'choice';
    button.value = String(index);
    button.checked = index === 0;
    const name = user.name ?? user.displayName ?? user.userHandle;
    const display = user.displayName && user.displayName !== name ? ` (${user.displayName})` : '';
    label.append(button, ` ${name}${display}`);
    list.append(label);
  });
}

function answer(value) {
  if (!question) return;
  port.postMessage({ question: question.question, answer: value });
  question = null;
  element('approve').disabled = true;
}

function approved() {
  switch (question?.kind) {
    case 'choose':
      return { choice: Number(document.querySelector('input[name=choice]:checked').value) };
    case 'pin':
      return { pin: element('pin').value.normalize('NFC') };
    default:
      return 'approve';
  }
}

port.onMessage.addListener(show);
// A click that brings the window to the front was meant for what covered it.
addEventListener('focus', arm);
element('form').addEventListener('submit', (event) => {
  event.preventDefault();
  answer(approved());
});
element('refuse').addEventListener('click', () => answer('refuse'));
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') answer('refuse');
});
