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
  /** The endpoint of the description that was called, and its URL. */
  readonly endpoint?: EndpointName;
  readonly url?: string;
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
  /** An invitation or recovery code that an administrator's request has issued, or the code for `signUp` at a verified address. */
  code?: { value: string; expiresAt?: string };
  /** What the authenticator returned for extensions, such as the outputs of `prf`. The server does not get these outputs. */
  extensions?: AuthenticationExtensionsClientOutputs;
  /** The new passkey, for `PublicKeyCredential.signalUnknownCredential()` if the user gives the sign-up up. */
  made?: { rpId: string; credentialId: string };
  /** After a sign-in: whether the passkey is of this device or of another one. Not enumerable. */
  attachment?: 'platform' | 'cross-platform';
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

/** The options of WebAuthn as JSON (Level 3, 5.1.9 and 5.1.10), also as `{publicKey}`. */
export type OptionsJSON = Record<string, unknown>;

/** The response of a browser as JSON (5.1.8), to be sent to a server. */
export interface CredentialJSON {
  id: string;
  rawId: string;
  type: string;
  response: Record<string, unknown>;
  clientExtensionResults: Record<string, unknown>;
  authenticatorAttachment?: string;
  readonly extensions: AuthenticationExtensionsClientOutputs;
}

export interface VerificationOptions extends RequestOptions {
  /** The token of the verification (that of the latest one in this page). */
  token?: string;
}

export interface RegistrationOptions extends CeremonyOptions {
  /** The name of the new passkey. */
  name?: string;
  /** An invitation or recovery code, or that of a verified address. */
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
  /** Whether to ask for a receipt (false). */
  receipt?: boolean;
}

/** Sends a confirmed request. After `browser.unanswered` it may be called again: the service carries the request out once. */
export interface ConfirmedSending {
  (): Promise<Response>;
  /** The receipt as the text of a file, which proves the confirmation to others. Missing if the service gave none. */
  readonly receipt?: string;
}

/** The names of endpoints that this module calls. `call` takes these and those of the service's own description. */
export type EndpointName =
  | 'register-options' | 'register-verify' | 'add-credential-options' | 'add-credential-verify' | 'sign-in-options' | 'sign-in-verify'
  | 'step-up-options' | 'step-up-verify' | 'reverify-options' | 'reverify-verify' | 'me' | 'sign-out' | 'refresh' | 'sessions'
  | 'revoke-sessions' | 'revoke-session' | 'credentials' | 'credential' | 'rename-credential' | 'delete-credential' | 'register-device'
  | 'erase-device' | 'devices' | 'revoke-device' | 'preferences' | 'set-preferences' | 'account-status' | 'begin-sign-up' | 'verify-email'
  | 'resend-verification' | 'begin-verification' | 'change-email' | 'request-recovery' | 'cancel-recovery' | 'export-account'
  | 'erase-account' | 'users' | 'user' | 'approve-users' | 'update-user' | 'approve-user' | 'reject-user' | 'disable-user'
  | 'enable-user' | 'set-roles' | 'revoke-user-sessions' | 'user-credentials' | 'delete-user-credential' | 'invite-user'
  | 'recover-user' | 'changes' | 'outbox' | 'retry-outbox' | 'drop-outbox';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An endpoint of a service: its method and path, and the shapes of its messages. Shapes are JSON with variables such as `$credential`. */
export interface EndpointDescription {
  route: `${Method} /${string}`;
  request?: unknown;
  query?: unknown;
  response?: unknown;
}

/** What the module needs to know about a service: the member `service` of `/.well-known/passkey-endpoints`. */
export interface ServiceDescription {
  /** By name, such as `sign-in-options`. */
  endpoints: Partial<Record<EndpointName, EndpointDescription>>;
  /** Where the service keeps session tokens (cookies): without `cookie`, requests to another origin carry none. */
  tokens?: ('bearer' | 'cookie')[];
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

  /** Creates a passkey with options as JSON, without a service. `extensions` of the result are not a part of its JSON. */
  create(options: OptionsJSON, settings?: CeremonyOptions & { mediation?: 'conditional' }): Promise<CredentialJSON>;
  /** Asks for a passkey with options as JSON, without a service. */
  get(options: OptionsJSON, settings?: CeremonyOptions & { mediation?: 'conditional' }): Promise<CredentialJSON>;

  signIn(account?: AccountNames, options?: CeremonyOptions): Promise<Outcome>;
  signInWithAutofill(options?: RequestOptions): Promise<Outcome | null>;
  signUp(account: AccountNames, options?: RegistrationOptions): Promise<Outcome>;
  verify(code: string, options?: VerificationOptions): Promise<Outcome>;
  resendCode(options?: VerificationOptions): Promise<Outcome>;
  addPasskey(options?: RegistrationOptions): Promise<Outcome>;
  upgradeToPasskey(options?: RegistrationOptions): Promise<Outcome | null>;
  confirm(request: ConfirmedRequest): Promise<ConfirmedSending>;
  reverify(options?: CeremonyOptions): Promise<Outcome>;

  session(options?: RequestOptions): Promise<Outcome | null>;
  renew(options?: RequestOptions): Promise<Outcome>;
  signOut(options?: RequestOptions): Promise<void>;

  passkeys(options?: RequestOptions): Promise<Passkey[]>;
  renamePasskey(id: string, name: string, options?: RequestOptions): Promise<Passkey>;
  removePasskey(id: string, options?: RequestOptions & { allowLast?: boolean }): Promise<void>;

  /** Calls any endpoint by its name, with values by variable: `call('sessions')`. `id` and `credential` are parts of its path. */
  call(
    endpoint: EndpointName, values?: Record<string, unknown>, options?: RequestOptions & { id?: string; credential?: string },
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
