// SPDX-License-Identifier: Apache-2.0
//
// Passes the WebAuthn calls of pages to the native-messaging host, and the host's questions to the approval window.
// While no host is connected, the proxy is detached and the browser's own passkeys work.

import { Approval } from './approval-window.js';

const hostName = 'app.raxx.passkey';
const proxy = chrome.webAuthenticationProxy;
const failureOfHost = {
  name: 'NotAllowedError',
  message: 'The operation either timed out or was not allowed.',
};

// 256 KiB, the host's limit. It ends the connection at a longer message, and with it the ceremonies of other pages.
const maximumMessageLength = 1 << 18;

/** The connection to the host; null if there is none. */
let port = null;
/** Whether the host has answered on this connection. */
let isReady = false;
/** The fault that the host puts into every response; null for none. */
let fault = null;
/** The calls that await a response: their identifiers with their kinds. */
const pending = new Map();
const approval = new Approval((message) => port?.postMessage(message));

function show(badge, title) {
  chrome.action.setBadgeText({ text: badge });
  chrome.action.setTitle({ title: `passkey: ${title}` });
}

/** Shows that the host is connected, and its fault. */
function showConnected() {
  show(fault ? 'F' : '', fault ? `every response has the fault ${fault}` : 'connected');
}

function complete(id, answer) {
  const kind = pending.get(id);
  // The browser has cancelled the call in the meantime.
  if (!pending.delete(id)) return;
  answerPage(kind, { requestId: id, ...answer }).catch((error) => {
    // A response that the browser cannot read. The page still waits.
    show('!', error.message);
    if (!answer.error) answerPage(kind, { requestId: id, error: failureOfHost }).catch(() => {});
  });
}

function answerPage(kind, details) {
  switch (kind) {
    case 'create':
      return proxy.completeCreateRequest(details);
    case 'get':
      return proxy.completeGetRequest(details);
    default:
      return proxy.completeIsUvpaaRequest(details);
  }
}

function receive(message) {
  switch (message.type) {
    case 'ready':
      isReady = true;
      fault = message.fault;
      showConnected();
      break;
    case 'response':
      approval.end(message.id);
      showConnected();
      complete(message.id, { responseJson: message.response });
      break;
    case 'failure':
      approval.end(message.id);
      show('!', message.notice);
      complete(message.id, { error: message.error });
      break;
    case 'isUVPAA':
      complete(message.id, { isUvpaa: message.available });
      break;
    case 'question':
      approval.ask(message);
      break;
    case 'ended':
      approval.end(message.id);
      break;
  }
}

async function connect() {
  if (port) return;
  const connected = chrome.runtime.connectNative(hostName);
  port = connected;
  isReady = false;
  connected.onMessage.addListener(receive);
  connected.onDisconnect.addListener(() => disconnected(connected, chrome.runtime.lastError?.message));
  connected.postMessage({ type: 'hello', version: 1 });
  const refusal = await proxy.attach();
  if (refusal) show('!', refusal);
}

async function disconnected(from, reason) {
  if (port !== from) return;
  port = null;
  approval.endAll();
  for (const [id, kind] of [...pending]) {
    complete(id, kind === 'isUVPAA' ? { isUvpaa: false } : { error: failureOfHost });
  }
  // A host that has worked is started once more; one that never answered is not.
  if (isReady) return connect();
  await proxy.detach();
  const why = (reason ?? 'the host ended').replace(/\.$/, '');
  show('off', `${why}. Click to connect again.`);
}

function ask(kind, request) {
  pending.set(request.requestId, kind);
  const message = { type: kind, id: request.requestId };
  if (request.requestDetailsJson !== undefined) message.details = request.requestDetailsJson;
  const isTooLong = new TextEncoder().encode(JSON.stringify(message)).length > maximumMessageLength;
  if (isTooLong) show('!', 'The request of the page is too long (browser-host.message-too-long)');
  if (port && !isTooLong) port.postMessage(message);
  else complete(request.requestId, kind === 'isUVPAA' ? { isUvpaa: false } : { error: failureOfHost });
}

proxy.onCreateRequest.addListener((request) => ask('create', request));
proxy.onGetRequest.addListener((request) => ask('get', request));
proxy.onIsUvpaaRequest.addListener((request) => ask('isUVPAA', request));
proxy.onRequestCanceled.addListener((id) => {
  if (!pending.delete(id)) return;
  approval.end(id);
  port?.postMessage({ type: 'cancel', id });
});
chrome.action.onClicked.addListener(connect);
// Either event starts this script with the browser.
chrome.runtime.onStartup.addListener(connect);
chrome.runtime.onInstalled.addListener(connect);
connect();
