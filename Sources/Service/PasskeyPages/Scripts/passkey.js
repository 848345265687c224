// SPDX-License-Identifier: Apache-2.0
// Sign-in with passkeys for pages: an ES module without dependencies. passkey.d.ts has the types.

/** The sentences for people, by error code. The option `sentences` of {@link Passkeys} replaces them. */
export const sentences = {
  'browser.aborted': 'The request was cancelled.',
  'browser.already-registered': 'This device already has a passkey for your account.',
  'browser.busy': 'Another request for a passkey is still open.',
  'browser.cancelled': 'You declined, or there was no passkey to use. Nothing was changed.',
  'browser.failed': 'The device could not use the passkey. Try again, or use another device.',
  'browser.no-passkey': 'This device has no passkey for this site.',
  'browser.offline': 'There is no answer from the server. Nothing was changed; check your connection and try again.',
  'browser.timed-out': 'The time ran out. Nothing was changed; try again.',
  'browser.unanswered': 'There is no answer from the server. We do not know whether it arrived: check before you try again.',
  'browser.unsupported': 'This browser or device does not support the passkeys of this site.',
  'browser.wrong-origin': 'Passkeys of this site cannot be used on this page.',
  'page.confirmation-differs': 'The server asked to confirm something else. Nothing was confirmed.',
  'page.confirmation-used': 'This confirmation has been used. Confirm again.',
  'page.endpoint-missing': 'The server does not offer this.',
  'page.reply-unreadable': 'The server gave an unexpected answer. Try again later.',
  'email.already-verified': 'The address is verified already.',
  'email.code-refused': 'The code is wrong. Check the latest mail and try again.',
  'email.verification-unknown': 'The code has expired. Begin again.',
  'http.too-many-requests': 'Too many attempts. Wait a moment and try again.',
  'passkey.last': 'This is your last passkey. Without it you cannot sign in.',
  'service.origin-mismatch': 'Passkeys of this site cannot be used on this page.',
  'session.expired': 'Your session has expired. Sign in again.',
  'session.idle': 'You were signed out because you were away. Sign in again.',
  'session.unknown': 'You are not signed in.',
  'session.verification-required': 'Confirm that it is you to continue.',
  'sign-in.account-disabled': 'This account is disabled.',
  'sign-in.account-pending': 'This account waits for approval.',
  'sign-in.ceremony-unknown': 'The sign-in took too long. Try again.',
  'sign-in.email-unverified': 'Verify your address with the code from the mail we sent.',
  'sign-in.refused': 'The sign-in was refused. Try again, or use another passkey.',
  'sign-up.ceremony-unknown': 'The registration took too long. Try again.',
  'sign-up.code-refused': 'The code is wrong, used or expired.',
  'sign-up.code-too-early': 'The recovery code is not valid yet.',
  'sign-up.invitation-required': 'An account requires an invitation.',
  'sign-up.refused': 'The account was not created. Perhaps you have one already: sign in.',
  'sign-up.username-taken': 'This name is taken. Choose another one.',
  'step-up.ceremony-unknown': 'The confirmation took too long. Try again.',
  'step-up.grant-refused': 'What was confirmed is not what was sent. Nothing was done.',
  'step-up.impossible': 'Your account has no passkey that can confirm this.',
  'step-up.refused': 'The confirmation was refused.',
};

/** The only error that this module throws: a code for programs and a sentence for people. */
export class PasskeyError extends Error {
  constructor(code, message, {cause, ...details} = {}) {
    super(message, {cause});
    this.name = 'PasskeyError';
    this.code = code;
    Object.assign(this, details);
  }
}

// Bytes and JSON (WebAuthn Level 3, 5.1.8 to 5.1.10), for browsers that lack the conversions.

const encode = (buffer) => {
  const bytes = ArrayBuffer.isView(buffer)
    ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength) : new Uint8Array(buffer);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
};

const decode = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0));

/** Returns a copy of an object in which `convert` has replaced the members with these names. */
const converting = (object, names, convert) => {
  const copy = {...object};
  for (const name of names) if (copy[name] != null) copy[name] = convert(copy[name]);
  return copy;
};

const decodeSalts = (salts) => converting(salts, ['first', 'second'], decode);

const decodeExtensions = (extensions) => converting(converting(extensions, ['prf'], (prf) =>
  converting(converting(prf, ['eval'], decodeSalts), ['evalByCredential'], (all) =>
    Object.fromEntries(Object.entries(all).map(([id, salts]) => [id, decodeSalts(salts)])))),
['largeBlob'], (blob) => converting(blob, ['write'], decode));

const decodeOptions = (json) => {
  const withIDs = (list) => list.map((one) => converting(one, ['id'], decode));
  const options = converting(json, ['challenge'], decode);
  return converting(converting(converting(options, ['user'], (user) => converting(user, ['id'], decode)),
    ['excludeCredentials', 'allowCredentials'], withIDs), ['extensions'], decodeExtensions);
};

/** Replaces the buffers of an object by base64url. */
const encodeBuffers = (value) => {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return encode(value);
  if (Array.isArray(value) || value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, encodeBuffers(inner)]));
};

const encodeCredential = (credential) => {
  try {
    // Some extensions of browsers answer with objects whose toJSON throws.
    if (credential.toJSON) return credential.toJSON();
  } catch { /* converted below */ }
  const {response} = credential;
  const json = {
    id: credential.id, rawId: encode(credential.rawId), type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
    clientExtensionResults: encodeBuffers(credential.getClientExtensionResults()),
    response: {},
  };
  for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']) {
    if (response[name]) json.response[name] = encode(response[name]);
  }
  if (response.getTransports) json.response.transports = response.getTransports();
  if (response.getAuthenticatorData) json.response.authenticatorData = encode(response.getAuthenticatorData());
  const key = response.getPublicKey?.();
  if (key) json.response.publicKey = encode(key);
  if (response.getPublicKeyAlgorithm) json.response.publicKeyAlgorithm = response.getPublicKeyAlgorithm();
  return json;
};

const parseOptions = {
  create: (json) => PublicKeyCredential.parseCreationOptionsFromJSON?.(json) ?? decodeOptions(json),
  get: (json) => PublicKeyCredential.parseRequestOptionsFromJSON?.(json) ?? decodeOptions(json),
};

// Messages. A shape is JSON with variables such as "$account.email" in place of values; the service describes its own.

const isVariable = (shape) => typeof shape === 'string' && /^\$[^$]/.test(shape);

const isEmpty = (value) => value !== null && typeof value === 'object' && !Object.keys(value).length;

/** Writes a message; undefined if it is a variable without a value. */
const write = (shape, values) => {
  if (isVariable(shape)) return values[shape.slice(1)];
  if (typeof shape === 'string') return shape.replace(/^\$\$/, '$');
  if (shape === null || typeof shape !== 'object') return shape;
  if (shape.$map) return shape.to[values[shape.$map.slice(1)]] ?? shape.to['*'];
  const object = Object.create(null);
  for (const [name, inner] of Object.entries(shape)) {
    const value = write(inner, values);
    if (name === '...') Object.assign(object, value);
    // An optional object whose variables have no values is missing as they are.
    else if (value !== undefined && !(name.endsWith('?') && !isVariable(inner) && isEmpty(value))) {
      object[name.replace(/\?$/, '')] = value;
    }
  }
  return object;
};

/** Reads the variables of a message into `found`. */
const read = (shape, json, found = Object.create(null)) => {
  if (json == null) return found;
  if (isVariable(shape)) found[shape.slice(1)] = json;
  else if (shape?.$each) found[shape.$each.slice(1)] = json.map((element) => grouped(read(shape.as, element)));
  else if (shape?.$map) {
    const row = Object.entries(shape.to).find(([, constant]) => constant === json);
    if (row && row[0] !== '*') found[shape.$map.slice(1)] = {true: true, false: false}[row[0]] ?? row[0];
  } else if (shape && typeof shape === 'object') {
    for (const [name, inner] of Object.entries(shape)) {
      read(inner, name === '...' ? json : json[name.replace(/\?$/, '')], found);
    }
  }
  return found;
};

/**
 * Returns variables as objects: `account.email` becomes `{account: {email}}`. Tokens stay in this module. The names come from the
 * service, so these objects have no prototype.
 */
const grouped = (values) => {
  const result = Object.create(null);
  for (const [name, value] of Object.entries(values)) {
    if (/^session\.(token|refreshToken|tokenType|clientToken|conditionalCreate)$|^grant\.|^account\.signal$/.test(name)) continue;
    // A code has an end: `{value, expiresAt}`.
    const [group, member] = (name === 'code' ? 'code.value' : name).split('.');
    if (member) (result[group] ??= Object.create(null))[member] = value;
    else result[group] = value;
  }
  return result;
};

/** The members of a variable for the names of an account: `{email}`, `{username}`, or either as a string. */
const namesOf = (account) => {
  const {email, username, name} = typeof account === 'string'
    ? {email: account.includes('@') ? account : undefined, username: account, name: account} : account ?? {};
  return {'account.email': email, 'account.username': username, 'account.name': name ?? email ?? username};
};

// What a page's own description of a service may leave out: the expected errors are problem details with a code (RFC 9457).
const ownDefaults = {headers: {}, warningSeconds: 120, error: {code: '$error.code', 'title?': '$error.title'}};

// 2^31 - 1 ms  [a longer timer of a browser ends at once]
const longestTimer = 2147483647;

// A second  [a server whose times have no fractions accepts a token until the next second]
const lastSecond = 1000;

// 8 s  [people wait ten seconds for a page to say that something is wrong]
const patience = 8000;

// 5 s  [a network that comes back is found soon, and a service that restarts is not flooded]
const unansweredPause = 5000;

/** Sign-in, sessions and confirmations of one service, for one page. Outside a browser it does nothing. */
export class Passkeys extends EventTarget {
  #base; #service; #tokens; #sentences; #channel; #beforeConfirmation;
  #token; #refreshToken; #clientToken; #offer; #verification;
  #until = 0; #isWarned = false; #timer; #skew = 0; #isAsking = false; #doubts = 0; #renewal;
  #busy; #autofill; #round;

  constructor({base = globalThis.location?.origin, service, tokens, sentences: own, beforeConfirmation} = {}) {
    super();
    this.#base = base && new URL(base);
    this.#service = service && {...ownDefaults, ...service};
    this.#tokens = tokens;
    this.#beforeConfirmation = beforeConfirmation;
    this.#sentences = Object.assign(Object.create(null), sentences, own);
    // A server that renders the page has no tabs, and must be able to end.
    if (!globalThis.document) return;
    // Tabs of one origin share a cookie, and so they share the news about its session.
    this.#channel = new BroadcastChannel(`passkey ${this.#base.origin}`);
    // Without a description there is no session here that the news could change.
    this.#channel.onmessage = ({data}) => this.#hear(data).catch(() => {});
    document.addEventListener('visibilitychange', () => this.#tick());
  }

  /** Whether this browser has passkeys. */
  static get isSupported() { return typeof PublicKeyCredential === 'function'; }

  /** Whether this device can make a passkey itself. */
  static async hasDevice() {
    return Passkeys.isSupported && PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable();
  }

  /** The end of the session by this device's clock; null without a known session. */
  get expiresAt() { return this.#until ? new Date(this.#until) : null; }

  // Ceremonies

  /**
   * Creates a passkey with options as JSON, such as the answer of any server library. Returns the response of the browser as JSON.
   * Needs no service and no description of one.
   */
  create(options, settings) { return this.#perform('create', options, settings); }

  /** Asks for a passkey with options as JSON, as {@link create}. */
  get(options, settings) { return this.#perform('get', options, settings); }

  #perform(kind, json, settings = {}) {
    return this.#exclusively(settings, async () => {
      const {credential, results} = await this.#ask(kind, json, settings);
      // Not a part of the JSON: the outputs of extensions, among them the user's secrets.
      return Object.defineProperty(credential, 'extensions', {value: results});
    }, false);
  }

  /** Signs in: with the passkeys of an account, or without one with any passkey that the user chooses. */
  signIn(account, options = {}) {
    return this.#exclusively(options, async () => {
      const begun = await this.#request('sign-in-options', namesOf(account), options);
      return this.#finishSignIn(begun, {...options, uiMode: begun['options.uiMode']});
    });
  }

  /**
   * Offers passkeys in the autofill of an input field with `autocomplete="username webauthn"`, and waits until the user chooses
   * one. Returns null if the browser does not offer this, `signal` is aborted, or the user signs in otherwise.
   */
  async signInWithAutofill({signal} = {}) {
    if (!Passkeys.isSupported || !await PublicKeyCredential.isConditionalMediationAvailable?.()) return null;
    this.#autofill?.abort();
    this.#round?.abort();
    const stop = this.#autofill = new AbortController();
    signal?.addEventListener('abort', () => stop.abort(), {once: true});
    if (signal?.aborted) stop.abort();
    stop.signal.addEventListener('abort', () => this.#round?.abort());
    try {
      for (let late = 0; late < 3;) {
        await this.#busy?.catch(() => {});
        if (stop.signal.aborted) return null;
        const round = this.#round = new AbortController();
        let timer, beginning;
        try {
          const begun = await this.#request('sign-in-options', {mediation: 'conditional'}, {signal: round.signal});
          const left = Date.parse(begun['options.expiresAt']) - Date.now() - this.#skew;
          // Five seconds before the challenge expires  [the time of the request for the next one]
          if (left) timer = setTimeout(() => round.abort(), Math.min(Math.max(left - 5000, 1000), longestTimer));
          beginning = performance.now();
          return await this.#finishSignIn(begun, {mediation: 'conditional', signal: round.signal});
        } catch (error) {
          if (error.code === 'sign-in.ceremony-unknown') late += 1;
          else if (error.code === 'browser.cancelled') {
            // A user who declined may choose again. A refusal within a second is the browser's own.
            if (performance.now() - beginning < 1000) return null;
          } else if (error.code === 'http.too-many-requests') return null;
          else if (error.code !== 'browser.aborted') throw error;
        } finally {
          clearTimeout(timer);
        }
      }
      throw this.#error('sign-in.ceremony-unknown');
    } finally {
      if (this.#autofill === stop) this.#autofill = this.#round = undefined;
    }
  }

  /**
   * Creates an account with a passkey. With `verification` in the result, a mail is under way, and {@link verify} finishes the
   * registration. Without it and without a session, the account waits for its approval.
   */
  signUp(account, options = {}) {
    return this.#exclusively(options, async () => {
      const values = {...namesOf(account), code: options.code};
      return this.#finishRegistration(await this.#request('register-options', values, options), options);
    });
  }

  /** Finishes the latest verification of an address, or that of `token`, with the code from the mail. */
  async verify(code, {token = this.#verification, ...options} = {}) {
    if (!token) throw this.#error('email.verification-unknown');
    const values = await this.#request('verify-email', {'verification.token': token, code}, options);
    this.#verification = undefined;
    return this.#registered(values);
  }

  /** Sends the code of a verification again. */
  async resendCode({token = this.#verification, ...options} = {}) {
    if (!token) throw this.#error('email.verification-unknown');
    return grouped(await this.#request('resend-verification', {'verification.token': token}, options));
  }

  /** Adds a passkey to the account, after a confirmation with an existing one. */
  addPasskey(options = {}) {
    return this.#exclusively(options, async () => {
      const isOwn = Boolean(this.#service.endpoints['add-credential-options']);
      const begun = await this.#confirmed(isOwn ? 'add-credential-options' : 'register-options', {}, options);
      return this.#finishRegistration(begun, options, isOwn ? 'add-credential-verify' : 'register-verify');
    });
  }

  /**
   * Lets the browser create a passkey of this device without a dialog, if the server offered that at the sign-in. Returns null
   * if it did not, or if the browser declines.
   */
  async upgradeToPasskey(options = {}) {
    const offer = this.#offer;
    this.#offer = undefined;
    if (!offer || !Passkeys.isSupported) return null;
    if (!(await PublicKeyCredential.getClientCapabilities?.())?.conditionalCreate) return null;
    return this.#exclusively(options, async () => {
      const begun = await this.#request('register-options', {'session.conditionalCreate': offer}, options);
      try {
        return await this.#finishRegistration(begun, {...options, mediation: 'conditional'});
      } catch (error) {
        if (error.code?.startsWith('browser.')) return null;
        throw error;
      }
    });
  }

  /**
   * Asks the user to confirm one request with a passkey: its method, its path and its exact body. Returns a function that sends
   * the request with the confirmation, once. If there is no answer, the function may be called again: the confirmation tells
   * the service that the request is the same one. With `receipt`, the member `receipt` of the function is the text of a receipt.
   */
  confirm({method = 'POST', path, body, headers, signal, receipt: wantsReceipt} = {}) {
    return this.#exclusively({signal}, async () => {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const url = new URL(path, this.#base);
      const {grant, receipt} = await this.#stepUp(await this.#action(method, url, text), text, {signal, wantsReceipt});
      const type = text === undefined ? {} : {'content-type': 'application/json'};
      let isUsed = false, isDoubtful = false;
      const send = async () => {
        if (isUsed) throw this.#error('page.confirmation-used');
        isUsed = true;
        const wasDoubtful = isDoubtful;
        try {
          const response = await this.fetch(url, {method, body: text, signal, headers: {...type, ...headers, ...grant}});
          // The answer of a gateway does not say what the server behind it did.
          [isUsed, isDoubtful] = [response.status < 500, response.status >= 500];
          // A refusal does not say what became of the request before: a service that keeps no answers refuses a confirmation
          // that it has spent, and others refuse before they look at it.
          if (wasDoubtful && [401, 429].includes(response.status)) {
            throw this.#error('browser.unanswered', {status: response.status});
          }
          return response;
        } catch (error) {
          isUsed = false;
          isDoubtful ||= error.code !== 'browser.offline';
          if (wasDoubtful && error.code !== 'browser.unanswered') throw this.#error('browser.unanswered', {cause: error});
          throw error;
        }
      };
      return Object.assign(send, receipt && {receipt});
    });
  }

  /** Verifies the user of the session again, for a server that asks for it from time to time. */
  reverify(options = {}) {
    return this.#exclusively(options, async () => {
      const begun = await this.#request('reverify-options', {}, options);
      const {credential} = await this.#ask('get', begun.options, options);
      return grouped(await this.#request('reverify-verify', {credential}, options));
    });
  }

  // Sessions and passkeys

  /** Returns the signed-in account and its session, or null. */
  async session(options) {
    try {
      // A service of ours answers 204 if nobody is signed in, because browsers report a 401 as an error.
      const headers = this.#base.origin === location.origin ? {'passkey-session': 'optional'} : undefined;
      const values = await this.#request('me', {}, {...options, headers});
      if (values) return grouped(values);
      this.#end('expired', true);
      return null;
    } catch (error) {
      if (error.status === 401 && error.code !== 'session.verification-required') return null;
      throw error;
    }
  }

  /** Renews the session, if the service renews sessions. */
  async renew(options) {
    const values = await this.#request('refresh', {'session.refreshToken': this.#refreshToken}, options);
    return this.#open(values, 'renewed');
  }

  /** Ends the session. */
  async signOut(options) {
    try {
      await this.#request('sign-out', {}, options);
    } catch (error) {
      // A renewal without an answer leaves a session that the next page would renew.
      if (error.status !== 401 || this.#until) throw error;
    }
    await navigator.credentials?.preventSilentAccess?.();
    this.#end('signed-out', true);
  }

  /** Returns the passkeys of the account, and tells the browser which ones the server knows. */
  async passkeys(options) {
    const values = await this.#request('credentials', {}, options);
    return values.credentials.map(({credential}) => credential);
  }

  /** Gives a passkey another name. */
  async renamePasskey(id, name, options) {
    const values = await this.#request('rename-credential', {'credential.name': name}, {...options, id});
    await this.#signalPasskeys();
    return grouped(values).credential;
  }

  /** Removes a passkey, after a confirmation. `allowLast` also removes the last one. */
  removePasskey(id, {allowLast, ...options} = {}) {
    return this.#exclusively(options, async () => {
      await this.#confirmed('delete-credential', {'credential.allowLast': allowLast}, {...options, id});
      await this.#signalPasskeys();
    });
  }

  /** Calls any endpoint by the name in the service's description; asks for a confirmation if the server requires one. */
  async call(endpoint, values = {}, options = {}) {
    return grouped(await this.#confirmed(endpoint, values, options, (body) => this.#exclusively(options, body)));
  }

  /** Sends a request of the page with the session. Resolves to the response, also if its status is an error. */
  fetch(input, init = {}) { return this.#fetch(input, init, true); }

  /** Sends a request; with `renews`, again after a renewal of a session that the service calls ended. */
  async #fetch(input, init, renews) {
    const url = new URL(input, this.#base);
    const isOwn = url.origin === this.#base.origin;
    const headers = new Headers(init.headers);
    const {headers: names, tokens: kinds = ['cookie']} = await this.#description();
    if (isOwn) {
      if (this.#token && !headers.has('authorization')) headers.set('authorization', `Bearer ${this.#token}`);
      if (this.#tokens && names.tokens) headers.set(names.tokens, this.#tokens);
      if (this.#clientToken) headers.set(names.client, this.#clientToken);
    }
    // A service without cookies allows no request with them.
    const hasCookie = isOwn && this.#tokens !== 'bearer' && kinds.includes('cookie') && this.#base.origin !== location.origin;
    const response = await this.#send(url, {credentials: hasCookie ? 'include' : 'same-origin', ...init, headers});
    if (!isOwn) return response;
    const ahead = Date.parse(response.headers.get('date')) - Date.now();
    // The seconds of `Date` are cut off.
    if (!Number.isNaN(ahead)) this.#skew = Math.abs(ahead) > 2000 ? ahead : 0;
    const end = Date.parse(names.sessionExpiry && response.headers.get(names.sessionExpiry));
    if (end) this.#watch(end - this.#skew);
    if (response.status === 401 && this.#until) {
      const {code} = await this.errorOf(response.clone());
      if (!/^session\./.test(code) || code === 'session.verification-required') return response;
      // The session lasts until its end, also if it cannot be renewed any more.
      if (code === 'session.renewal-refused' && Date.now() < this.#until) return response;
      // The service has refused the request, so it can be sent again.
      const isText = init.body === undefined || typeof init.body === 'string';
      const isRenewed = renews && isText ? await this.#renewOnce(url) : false;
      if (isRenewed) return this.#fetch(input, init, false);
      if (isRenewed === false) this.#end('expired', true);
    }
    return response;
  }

  /**
   * Renews the session for all requests that wait for it. The renewal itself does not wait. Resolves to false if the service
   * refuses, and to undefined without its answer.
   */
  #renewOnce({pathname}) {
    const {endpoints, renewsSessions} = this.#service;
    if (!renewsSessions || endpoints.refresh?.route.endsWith(` ${pathname}`)) return false;
    this.#renewal ??= this.renew().then(() => true, ({status}) => status === 401 ? false : undefined).finally(() => { this.#renewal = undefined; });
    return this.#renewal;
  }

  // Requests

  async #description() {
    if (!this.#service) {
      const url = new URL('/.well-known/passkey-endpoints', this.#base);
      const response = await this.#send(url, this.#limited({}));
      const document = response.ok ? await response.json().catch(() => null) : null;
      if (!document?.service) {
        throw this.#error('page.endpoint-missing', {url: url.href, status: response.status});
      }
      this.#service = document.service;
    }
    return this.#service;
  }

  async #send(url, {patient, ...init}) {
    const isOnline = navigator.onLine;
    try {
      return await fetch(url, patient ? {...init, signal: patient} : init);
    } catch (cause) {
      throw this.#interruption(cause, isOnline ? init : {signal: init.signal});
    }
  }

  /** Adds the signal that ends a request of the module to which no answer comes. */
  #limited(init) {
    const end = AbortSignal.timeout?.(patience);
    return {...init, patient: init.signal && end ? AbortSignal.any?.([init.signal, end]) : end};
  }

  /** The error of a request without a whole answer. What changes nothing, and what was not sent, can be sent again. */
  #interruption(cause, {method = 'GET', signal}) {
    const isHarmless = /^(get|head)$/i.test(method);
    return this.#error(signal?.aborted ? 'browser.aborted' : isHarmless ? 'browser.offline' : 'browser.unanswered', {cause});
  }

  /** Returns the method, URL and body of a call. */
  async #message(name, values, options) {
    const {endpoints} = await this.#description();
    const contract = endpoints?.[name];
    const [method, path] = contract?.route?.split(' ') ?? [];
    if (!path) throw this.#error('page.endpoint-missing', {endpoint: name, route: contract?.route});
    const url = new URL(path.replace(/{(\w+)}/g, (_, part) => encodeURIComponent(options?.[part] ?? '')), this.#base);
    for (const [member, value] of Object.entries(write(contract.query ?? {}, values))) url.searchParams.set(member, value);
    const body = contract.request && JSON.stringify(write(contract.request, values));
    return {method, url, body, contract};
  }

  async #request(name, values, options) {
    const {method, url, body, contract} = await this.#message(name, values, options);
    const {signal, headers} = options ?? {};
    const type = body === undefined ? {} : {'content-type': 'application/json'};
    const place = {endpoint: name, url: url.href};
    const response = await this.fetch(url, this.#limited({method, body, signal, headers: {...type, ...headers}}));
    if (!response.ok) throw await this.errorOf(response, place);
    if (name === 'me' && response.status === 204) return null;
    const text = await response.text().catch((cause) => { throw this.#interruption(cause, {method, signal}); });
    try {
      const found = contract.response && text ? read(contract.response, JSON.parse(text)) : {};
      await this.#signal(found.signal ?? found['account.signal']);
      this.#verification = found['verification.token'] ?? this.#verification;
      if (/-options$/.test(name) && !found.options) throw new TypeError('the reply has no options');
      return found;
    } catch (cause) {
      throw this.#error('page.reply-unreadable', {...place, cause, status: response.status});
    }
  }

  /** Sends a request, and again with a confirmation if the server asks for one. `during` surrounds the confirmation. */
  async #confirmed(name, values, options, during = (body) => body()) {
    try {
      return await this.#request(name, values, options);
    } catch (error) {
      if (!error.stepUp) throw error;
      const {method, url, body} = await this.#message(name, values, options);
      const action = await this.#action(method, url, body);
      const asked = error.stepUp;
      // A page confirms only what it sends.
      if (Object.keys(action).some((member) => asked[member] !== action[member])) {
        throw this.#error('page.confirmation-differs', {cause: error});
      }
      const {grant} = await during(() => this.#stepUp(action, body, options));
      return this.#request(name, values, {...options, headers: grant});
    }
  }

  async #action(method, url, text = '') {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    return {method, path: url.pathname + url.search, bodySha256: encode(digest)};
  }

  /** Confirms an action; returns the header field with the grant, and the receipt if it is wanted and there is one. */
  async #stepUp({method, path, bodySha256}, body, {signal, wantsReceipt}) {
    await this.#beforeConfirmation?.({method, path, body});
    const values = {'action.method': method, 'action.path': path, 'action.bodySha256': bodySha256};
    const begun = await this.#request('step-up-options', values, {signal});
    const {credential} = await this.#ask('get', begun.options, {signal});
    // Naming the action again asks for a receipt.
    const found = await this.#request('step-up-verify', {credential, ...(wantsReceipt && values)}, {signal});
    const receipt = found.receipt && JSON.stringify(found.receipt);
    return {grant: {[found['grant.header']]: found['grant.token']}, receipt};
  }

  /** Returns the error that a refusal of {@link fetch} describes. */
  async errorOf(response, place) {
    const found = read((await this.#description()).error, await response.json().catch(() => null));
    const code = found['error.code'] ?? 'page.reply-unreadable';
    await this.#signal(found['error.signal']);
    const {title, member, origin, stepUp, requestId, attemptsLeft, notBefore, ...rest} = grouped(found).error ?? {};
    const {verificationToken: token, verificationExpiresAt: expiresAt} = rest;
    if (token) this.#verification = token;
    return this.#error(code, {
      ...place, title, member, origin, stepUp, requestId, attemptsLeft, notBefore, verification: token && {token, expiresAt},
      retryAfter: Number(response.headers.get('retry-after')) || undefined, status: response.status,
    });
  }

  #error(code, details = {}) {
    const {title = this.#sentences['page.reply-unreadable'], route, ...others} = details;
    // Mistakes of a configuration name their place, for the developer of the page.
    const place = [others.endpoint, route ?? others.url, others.status].filter(Boolean).join(' ');
    const isMistake = place && code.startsWith('page.');
    return new PasskeyError(code, (this.#sentences[code] ?? title) + (isMistake ? ` (${place})` : ''), others);
  }

  // The browser

  async #exclusively({signal}, body, needsService = true) {
    if (this.#busy) throw this.#error('browser.busy');
    if (signal?.aborted) throw this.#error('browser.aborted');
    // A browser has one request for a passkey at a time; autofill goes on afterwards.
    this.#round?.abort();
    const run = this.#busy = (async () => {
      if (needsService) await this.#description();
      return body();
    })();
    try {
      return await run;
    } finally {
      this.#busy = undefined;
    }
  }

  async #ask(kind, json, {mediation, uiMode, signal, extensions, hints} = {}) {
    if (!Passkeys.isSupported) throw this.#error('browser.unsupported');
    const options = json.publicKey ?? json;
    const beginning = performance.now();
    try {
      const publicKey = parseOptions[kind]({
        ...options, ...(hints && {hints}), extensions: {...options.extensions, ...extensions},
      });
      const made = await navigator.credentials[kind]({
        publicKey, signal, ...(mediation && {mediation}), ...(uiMode && {uiMode}),
      });
      if (!made) throw new DOMException('no credential', 'NotAllowedError');
      const credential = encodeCredential(made);
      const results = made.getClientExtensionResults();
      // The outputs of prf and largeBlob are the user's secrets: the page gets them, and the server does not.
      if (credential.clientExtensionResults?.prf) delete credential.clientExtensionResults.prf.results;
      if (credential.clientExtensionResults?.largeBlob) delete credential.clientExtensionResults.largeBlob.blob;
      return {credential, results};
    } catch (cause) {
      const isLate = performance.now() - beginning >= (options.timeout ?? Infinity);
      throw this.#error(this.#codeOf(cause, {kind, isLate, uiMode}), {cause});
    }
  }

  #codeOf(cause, {kind, isLate, uiMode}) {
    // A frame may use passkeys only with the permission of the page around it.
    if (document.featurePolicy?.allowsFeature(`publickey-credentials-${kind}`) === false) return 'browser.wrong-origin';
    switch (cause.name) {
      case 'AbortError': return 'browser.aborted';
      case 'InvalidStateError': return 'browser.already-registered';
      case 'NotAllowedError': return isLate ? 'browser.timed-out' : uiMode ? 'browser.no-passkey' : 'browser.cancelled';
      case 'TimeoutError': return 'browser.timed-out';
      case 'SecurityError': return 'browser.wrong-origin';
      case 'NotSupportedError': case 'ConstraintError': return 'browser.unsupported';
      case 'OperationError': return 'browser.busy';
      default: return 'browser.failed';
    }
  }

  async #finishSignIn(begun, options) {
    const {credential, results} = await this.#ask('get', begun.options, options);
    const outcome = {...this.#open(await this.#request('sign-in-verify', {credential}), 'started'), extensions: results};
    return Object.defineProperty(outcome, 'attachment', {value: credential.authenticatorAttachment});
  }

  async #finishRegistration(begun, options, endpoint = 'register-verify') {
    const {credential, results} = await this.#ask('create', begun.options, options);
    const values = await this.#request(endpoint, {credential, 'credential.name': options.name});
    const {rp} = begun.options.publicKey ?? begun.options;
    const made = {rpId: rp.id ?? location.hostname, credentialId: credential.id};
    return Object.defineProperty({...await this.#registered(values), extensions: results}, 'made', {value: made});
  }

  /** Takes the session of a registration, if there is one. */
  async #registered(values) {
    const isNew = values['session.expiresAt'] !== undefined || values['session.token'] !== undefined;
    const found = isNew ? this.#open(values, 'started') : grouped(values);
    if (this.#until) await this.#signalPasskeys();
    return found;
  }

  /** Tells the browser which passkeys the server knows, so that it offers no others. */
  async #signalPasskeys() {
    if (!Passkeys.isSupported || !PublicKeyCredential.signalAllAcceptedCredentials) return;
    if (this.#service.endpoints.credentials) await this.#request('credentials', {}).catch(() => {});
  }

  async #signal(signal) {
    if (!signal || !Passkeys.isSupported) return;
    const name = signal.allAcceptedCredentialIds ? 'signalAllAcceptedCredentials'
      : signal.credentialId ? 'signalUnknownCredential' : 'signalCurrentUserDetails';
    // A browser may ignore a signal.
    await PublicKeyCredential[name]?.(signal).catch(() => {});
  }

  // The session

  #open(values, state) {
    this.#token = values['session.token'];
    this.#refreshToken = values['session.refreshToken'];
    this.#clientToken = values['session.clientToken'] ?? this.#clientToken;
    this.#offer = values['session.conditionalCreate'];
    const end = Date.parse(values['session.expiresAt']);
    if (end) this.#watch(end - this.#skew);
    this.#autofill?.abort();
    this.#tell({state, until: this.#until});
    return grouped(values);
  }

  #watch(until) {
    // Requests of the same session report the same end again.
    if (Math.abs(until - this.#until) < 1000) return;
    this.#until = until;
    this.#isWarned = false;
    this.#tick();
  }

  #tick() {
    clearTimeout(this.#timer);
    if (!this.#until) return;
    const left = this.#until - Date.now();
    const warning = this.#service.warningSeconds * 1000;
    const {renewsSessions} = this.#service;
    // A hidden page renews nothing. It continues here when it is shown.
    if (renewsSessions && left <= warning && document.visibilityState === 'hidden') return;
    if (left <= -lastSecond) return this.#askForEnd();
    this.#doubts = 0;
    if (left <= warning && !this.#isWarned) {
      this.#isWarned = true;
      if (renewsSessions) this.renew().catch(() => this.#dispatch({state: 'expiring'}));
      else this.#dispatch({state: 'expiring'});
    }
    this.#timer = setTimeout(() => this.#tick(), Math.min(left > warning ? left - warning : left + lastSecond, longestTimer));
  }

  /** Asks the service whether the session has ended, as it has by this device's clock, and ends it if so. */
  async #askForEnd() {
    if (this.#isAsking || this.#doubts === 3) return;
    this.#isAsking = true;
    const until = this.#until;
    const {renewsSessions, endpoints} = this.#service;
    const answer = ({code, status}) => code === 'session.verification-required' || (status < 429 ? false : undefined);
    const isRenewed = renewsSessions ? await this.#renewOnce({}) : false;
    const isOpen = isRenewed !== false || !endpoints.me ? isRenewed : await this.#request('me', {}).then(Boolean, answer);
    this.#isAsking = false;
    if (this.#until !== until) return this.#tick();
    // Without an answer nothing is known.
    if (isOpen === undefined) {
      this.#timer = setTimeout(() => this.#tick(), unansweredPause);
      return;
    }
    if (!isOpen) return this.#end('expired', false);
    // A clock that three answers contradict is wrong. The next request that the service refuses then ends the session.
    this.#doubts += 1;
    if (this.#doubts < 3) this.#timer = setTimeout(() => this.#tick(), 1000 * this.#doubts);
  }

  #end(reason, tellsOthers) {
    this.#token = this.#refreshToken = this.#offer = undefined;
    if (!this.#until) return;
    this.#until = 0;
    clearTimeout(this.#timer);
    if (tellsOthers) this.#tell({state: 'ended', reason});
    else this.#dispatch({state: 'ended', reason});
  }

  #tell(news) {
    if (!this.#token) this.#channel.postMessage(news);
    this.#dispatch(news);
  }

  async #hear({state, until, reason}) {
    if (this.#token) return;
    await this.#description();
    if (state === 'ended') return this.#end(reason, false);
    this.#watch(until);
    this.#autofill?.abort();
    this.#dispatch({state});
  }

  #dispatch({state, reason}) {
    this.dispatchEvent(new CustomEvent('session', {detail: {state, reason, expiresAt: this.expiresAt}}));
  }
}
