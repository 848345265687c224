// SPDX-License-Identifier: Apache-2.0
// Calls of passkey.js as a page in TypeScript makes them. Scripts/test --tier merge --module Browser checks their types; nothing runs them.

import { Passkeys, PasskeyError, sentences, type ServiceDescription, type SessionNews } from './passkey.js';

const passkeys = new Passkeys({
  base: 'https://api.raxx.app',
  beforeConfirmation: async ({ method, path, body }) => console.log(method, path, body),
});

const hear = ({ detail }: CustomEvent<SessionNews>) => console.log(detail.state, detail.reason, detail.expiresAt?.getTime());
passkeys.addEventListener('session', hear);
passkeys.removeEventListener('session', hear);

try {
  const { session, verification } = await passkeys.signUp('ada@raxx.app', { signal: new AbortController().signal });
  if (verification) await passkeys.verify('K7QF-M2XW', { token: verification.token });
  console.log(session?.expiresAt);
  await passkeys.signIn(undefined, { hints: ['hybrid'], extensions: { prf: {} } });
  const email: string | undefined = (await passkeys.session())?.account?.email;
  const [first] = await passkeys.passkeys();
  if (first) await passkeys.removePasskey(first.id, { allowLast: true });
  const send = await passkeys.confirm({ path: '/api/orders', body: { symbol: 'RAXX', for: email }, receipt: true });
  if (send.receipt) await navigator.clipboard.writeText(send.receipt);
  const response: Response = await send();
  if (!response.ok) throw await passkeys.errorOf(response);
  await passkeys.call('revoke-session', {}, { id: 'MTIz' });
  const made = await passkeys.create({ challenge: 'AAAA', rp: { name: 'Shop' } }, { hints: ['client-device'] });
  await fetch('/passkeys', { method: 'POST', body: JSON.stringify(made) });
  const used: string = (await passkeys.get({ publicKey: { challenge: 'AAAA' } })).id;
  // @ts-expect-error no endpoint has this name
  await passkeys.call('user-s', { used });
} catch (error) {
  if (error instanceof PasskeyError) console.log(error.code, error.endpoint, error.url, error.retryAfter, sentences[error.code]);
}

const service: ServiceDescription = {
  endpoints: { me: { route: 'GET /login', response: { user: { email: '$account.email' } } }, 'sign-out': { route: 'DELETE /login' } },
  error: { code: '$error.code', message: '$error.title' },
};
export const own = new Passkeys({ service });
// @ts-expect-error the name of the endpoint is misspelled
export const misspelled: ServiceDescription = { endpoints: { 'sign-in-optons': { route: 'POST /login' } } };
// @ts-expect-error the route has no method
export const incomplete: ServiceDescription = { endpoints: { me: { route: '/login' } } };
