// SPDX-License-Identifier: Apache-2.0
// The types of passkey.js.

/** The sentences for people, by error code. */
export declare const sentences: Record<string, string>;

/** The action that a server asks a user to confirm. */
export interface ConfirmationDemand {
  method: string;
  path: string;
  bodySha256: string;
  header: string;
  options?: string;
}

/** A verification of an email address, which the code from a mail finishes. */
export interface Verification {
  token: string;
  expiresAt: string;
}

/** The only error that the module throws. */
export declare class PasskeyError extends Error {
  /**
   * The code: one of the server, or one that begins with `browser.` or `page.`. After `browser.unanswered` the server may have carried
   * out the request; after `browser.offline` nothing was changed.
   */
  readonly code: string;
  /** The HTTP status, if the server refused. */
  readonly status?: number;
  /** The invalid member of the request. */
  readonly member?: string;
  /** The origin that the server refused. */
  readonly origin?: string;
  /** The confirmation that the server requires. */
  readonly stepUp?: ConfirmationDemand;
  /** The seconds to wait before another attempt. */
  readonly retryAfter?: number;
  /** The number of codes that can still be tried. */
  readonly attemptsLeft?: number;
  /** The time from which a recovery code is valid. */
  readonly notBefore?: string;
  /** The verification that a refused sign-in began. */
  readonly verification?: Verification;
  /** The server's identifier of the request. */
  readonly requestId?: string;
}

/** The names of an account. A string with `@` is an email address, any other a user name. */
export type AccountNames = string | { email?: string; username?: string };

export interface Account {
  id?: string;
  email?: string;
  username?: string;
  /** `pending`, `active`, `disabled` or `rejected`. */
  state?: string;
  roles?: string[];
  [member: string]: unknown;
}

export interface Passkey {
  id: string;
  name?: string;
  provider?: string;
  backedUp?: boolean;
  createdAt?: string;
  lastUsedAt?: string;
  [member: string]: unknown;
}

/** The answer of the service: what its profile puts into it. */
export interface Outcome {
  account?: Account;
  /** Missing if the account waits for an approval or for the verification of its address. */
  session?: {
    expiresAt?: string;
    /** The time until which the session may replace the last passkey, which it has removed, without a confirmation. */
    replacementEnd?: string;
    [member: string]: unknown;
  };
  credential?: Passkey;
  /** The verification that began: `verify(code)` finishes it, also after a reload with `{token}`. */
  verification?: Verification;
  /** An invitation or recovery code that an administrator's request has issued. */
  code?: { value: string; expiresAt?: string };
  /** What the authenticator returned for extensions, such as the outputs of `prf`. The server does not get these outputs. */
  extensions?: AuthenticationExtensionsClientOutputs;
  [group: string]: unknown;
}

export interface RequestOptions {
  /** Cancels the request; it then fails with `browser.aborted`. */
  signal?: AbortSignal;
}

export interface CeremonyOptions extends RequestOptions {
  /** Inputs of extensions as JSON, with bytes in base64url. */
  extensions?: Record<string, unknown>;
  /** The kinds of authenticator that the browser offers first: `client-device`, `hybrid`, `security-key`. */
  hints?: string[];
}

export interface VerificationOptions extends RequestOptions {
  /** The token of the verification (that of the latest one in this page). */
  token?: string;
}

export interface RegistrationOptions extends CeremonyOptions {
  /** The name of the new passkey. */
  name?: string;
  /** An invitation or recovery code. */
  code?: string;
}

/** A request that the user confirms with a passkey. */
export interface ConfirmedRequest extends RequestOptions {
  /** The method (`POST`). */
  method?: string;
  /** The path with the query, or a URL of the service. */
  path: string;
  /** The exact body: a string, or a value that is sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** An endpoint of a service: its method and path, and the shapes of its messages. Shapes are JSON with variables such as `$credential`. */
export interface EndpointDescription {
  route: string;
  request?: unknown;
  query?: unknown;
  response?: unknown;
}

/** What the module needs to know about a service: the member `service` of `/.well-known/passkey-endpoints`. */
export interface ServiceDescription {
  /** By name, such as `sign-in-options`. */
  endpoints: Record<string, EndpointDescription>;
  /** The shape of refusals (problem details with the member `code`). */
  error?: unknown;
  /** The names of header fields for grants, and for the end of a session. */
  headers?: { stepUp?: string; client?: string; tokens?: string; sessionExpiry?: string };
  /** The time of the event `expiring` before the end of a session (120). */
  warningSeconds?: number;
  /** Whether the endpoint `refresh` renews sessions (false). */
  renewsSessions?: boolean;
  [member: string]: unknown;
}

export interface PasskeysSettings {
  /** The origin of the service (that of the page). */
  base?: string | URL;
  /** The description of the service (fetched from `/.well-known/passkey-endpoints`). */
  service?: ServiceDescription;
  /** Where session tokens are kept: in a cookie, or in the memory of this module (as the service decides). */
  tokens?: 'cookie' | 'bearer';
  /** Sentences in place of the English ones. */
  sentences?: Record<string, string>;
  /** Called before the browser asks for a passkey to confirm a request. An error that it throws cancels the request. */
  beforeConfirmation?: (request: { method: string; path: string; body?: string }) => void | Promise<void>;
}

export interface SessionNews {
  /** `ended` comes with a reason. */
  state: 'started' | 'renewed' | 'expiring' | 'ended';
  reason?: 'expired' | 'signed-out';
  expiresAt: Date | null;
}

export declare class Passkeys extends EventTarget {
  constructor(settings?: PasskeysSettings);
  static readonly isSupported: boolean;
  static hasDevice(): Promise<boolean>;
  readonly expiresAt: Date | null;

  signIn(account?: AccountNames, options?: CeremonyOptions): Promise<Outcome>;
  signInWithAutofill(options?: RequestOptions): Promise<Outcome | null>;
  signUp(account: AccountNames, options?: RegistrationOptions): Promise<Outcome>;
  verify(code: string, options?: VerificationOptions): Promise<Outcome>;
  resendCode(options?: VerificationOptions): Promise<Outcome>;
  addPasskey(options?: RegistrationOptions): Promise<Outcome>;
  upgradeToPasskey(options?: RegistrationOptions): Promise<Outcome | null>;
  /** The function sends the request. After `browser.unanswered` it may be called again: the service carries the request out once. */
  confirm(request: ConfirmedRequest): Promise<() => Promise<Response>>;
  reverify(options?: CeremonyOptions): Promise<Outcome>;

  session(options?: RequestOptions): Promise<Outcome | null>;
  renew(options?: RequestOptions): Promise<Outcome>;
  signOut(options?: RequestOptions): Promise<void>;

  passkeys(options?: RequestOptions): Promise<Passkey[]>;
  renamePasskey(id: string, name: string, options?: RequestOptions): Promise<Passkey>;
  removePasskey(id: string, options?: RequestOptions & { allowLast?: boolean }): Promise<void>;

  /** Calls any endpoint by its name, with values by variable: `call('sessions')`. `id` and `credential` are parts of its path. */
  call(
    endpoint: string, values?: Record<string, unknown>, options?: RequestOptions & { id?: string; credential?: string },
  ): Promise<Outcome>;
  fetch(input: string | URL, init?: RequestInit): Promise<Response>;
  errorOf(response: Response): Promise<PasskeyError>;

  addEventListener(
    type: 'session', listener: (event: CustomEvent<SessionNews>) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(
    type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
  removeEventListener(
    type: 'session', listener: (event: CustomEvent<SessionNews>) => void, options?: boolean | EventListenerOptions): void;
  removeEventListener(
    type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | EventListenerOptions): void;
}
