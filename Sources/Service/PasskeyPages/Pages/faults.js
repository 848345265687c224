// SPDX-License-Identifier: Apache-2.0
// For tests: what people see when the response of a passkey has one of the faults of `passkey browser install --fault NAME`.

import {faults, words} from './fault-names.js';
import {text} from './site.js';
import {badge, begin, byID, explain, make, onSubmit, passkeys, run, say, sentenceOf} from './ui.js';

Object.assign(text, words);

/** The codes with which the service refuses each fault in a registration and in a sign-in. */
const codes = {
  'client-data-not-json': ['sign-up.refused', 'sign-in.refused'],
  'type-of-registration': [null, 'sign-in.refused'],
  'type-of-authentication': ['sign-up.refused', null],
  'type-unknown': ['sign-up.refused', 'sign-in.refused'],
  'challenge-of-another-ceremony': ['sign-up.ceremony-unknown', 'sign-in.ceremony-unknown'],
  'challenge-cut': ['sign-up.ceremony-unknown', 'sign-in.ceremony-unknown'],
  'challenge-missing': ['sign-up.refused', 'sign-in.refused'],
  'origin-of-another-site': ['service.origin-mismatch', 'service.origin-mismatch'],
  'origin-without-encryption': ['service.origin-mismatch', 'service.origin-mismatch'],
  'origin-opaque': ['service.origin-mismatch', 'service.origin-mismatch'],
  'origin-missing': ['sign-up.refused', 'sign-in.refused'],
  'top-origin-of-another-site': ['sign-up.refused', 'sign-in.refused'],
  'relying-party-of-another-site': ['sign-up.refused', 'sign-in.refused'],
  'user-not-present': ['sign-up.refused', 'sign-in.refused'],
  'user-not-verified': ['sign-up.refused', 'sign-in.refused'],
  'backed-up-without-eligibility': ['sign-up.refused', 'sign-in.refused'],
  'authenticator-data-cut': ['sign-up.refused', 'sign-in.refused'],
  'credential-left-out': ['sign-up.refused', null],
  'key-of-unknown-algorithm': ['sign-up.refused', null],
  'key-off-its-curve': ['sign-up.refused', null],
  'format-unknown': ['sign-up.refused', null],
  'attestation-object-cut': ['sign-up.refused', null],
  'signed-by-another-key': [null, 'sign-in.refused'],
  'signed-in-another-ceremony': [null, 'sign-in.refused'],
  'signature-bit-flipped': [null, 'sign-in.refused'],
  'signature-empty': [null, 'sign-in.refused'],
  'user-handle-of-another': [null, 'sign-in.refused'],
  'response-of-another-credential': ['sign-up.refused', 'sign-in.refused'],
  'response-ids-disagree': ['registration-response.id-mismatch', 'authentication-response.id-mismatch'],
  'response-of-unknown-type': ['registration-response.unknown-type', 'authentication-response.unknown-type'],
  'response-id-missing': ['registration-response.missing-member', 'authentication-response.missing-member'],
};

const ceremonies = ['registration', 'authentication'];
const expected = (fault, ceremony) => codes[fault]?.[ceremonies.indexOf(ceremony)];

/** Groups faults that a page handles in the same way. */
const kindOf = (code) => /\.refused$/.test(code) ? 'refused' : /\.ceremony-unknown$/.test(code) ? 'late'
  : code === 'service.origin-mismatch' ? 'origin' : 'malformed';

/** Shows what a page says about an error. */
const notice = (error) => make('div', {class: 'notice bad'}, explain(error));

// Try

const chosen = () => byID('fault').value;

const showCommand = () => {
  const fault = chosen();
  byID('command').textContent = fault ? `passkey browser install --approve always --fault ${fault}`
    : 'passkey browser install --approve always';
  const effects = ceremonies.map((ceremony) => say(ceremony, {code: expected(fault, ceremony) ?? say('accepted')}));
  byID('expected').textContent = say('expected', {effects: effects.join(' · ')});
};

/** Makes an attempt, shows its effect, and leaves no session. */
const attempt = async (ceremony, work) => {
  const fault = chosen();
  const outcome = await work().then(() => null, (error) => {
    if (error.code) return error;
    throw error;
  });
  const session = await passkeys.session();
  if (session) await passkeys.signOut();
  const code = expected(fault, ceremony) ?? null;
  byID('attempts').prepend(make('li', {class: 'stack'},
    make('div', {class: 'title'},
      make('strong', {}, say(ceremony, {code: outcome ? say('refused') : say('accepted')})),
      fault && badge(fault, 'info'),
      (outcome?.code ?? null) === code ? badge(say('asExpected'), 'good') : badge(say('notAsExpected'), 'warn')),
    outcome && notice(outcome),
    make('p', {class: 'meta'}, [outcome?.status && `HTTP ${outcome.status}`, say(session ? 'sessionOpened' : 'noSession')]
      .filter(Boolean).join(' · '))));
};

onSubmit(byID('try'), ({name}) => attempt('authentication', () => passkeys.signIn(name)));
byID('try-registration').addEventListener('click', ({currentTarget}) => {
  if (byID('try').reportValidity()) {
    run(currentTarget, () => attempt('registration', () => passkeys.signUp(byID('name').value.trim())));
  }
});

byID('fault').append(...Object.entries(faults).map(([fault, meaning]) => make('option', {value: fault}, `${fault}: ${meaning}`)));
byID('fault').addEventListener('change', showCommand);
showCommand();

// Effects

const row = (fault) => make('li', {},
  make('div', {class: 'title'}, make('strong', {class: 'mono'}, fault)),
  make('p', {}, faults[fault]),
  make('p', {class: 'meta'}, ceremonies.filter((ceremony) => expected(fault, ceremony))
    .map((ceremony) => say(ceremony, {code: expected(fault, ceremony)})).join(' · ')));

const panel = (kind) => {
  const members = Object.keys(codes).filter((fault) => codes[fault].some((code) => code && kindOf(code) === kind));
  // One example for each sentence.
  const examples = new Map();
  for (const code of members.flatMap((fault) => [...codes[fault]].reverse())) {
    if (code && !examples.has(sentenceOf(code))) examples.set(sentenceOf(code), code);
  }
  return make('section', {class: 'panel', 'aria-labelledby': `${kind}-title`},
    make('div', {class: 'head'}, make('h2', {id: `${kind}-title`}, say(`effect.${kind}`))),
    [...examples.values()].map((code) => notice({code})),
    make('div', {}, make('h3', {}, say('yourPage')), make('p', {}, say(`advice.${kind}`))),
    make('details', {}, make('summary', {}, say('faultCount', {count: members.length})), make('ul', {class: 'rows'}, members.map(row))));
};

byID('effects').append(...['refused', 'late', 'origin', 'malformed'].map(panel));

begin();
