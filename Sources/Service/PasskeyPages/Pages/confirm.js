// SPDX-License-Identifier: Apache-2.0
// A page for one confirmation. Another page of this origin leaves the request in the session storage of the tab, so that no link
// from elsewhere can ask for one: sessionStorage.setItem('action', JSON.stringify({method, path, body, words, back})).

import {describe, titleOf} from './dialog.js';
import {begin, button, byID, focus, make, memory, passkeys, requireSession, say, sendConfirmed, showFailure} from './ui.js';

const end = (message, back = '/account') => {
  const target = new URL(back, location.origin);
  memory.set('action', null);
  byID('action').replaceChildren(make('p', {}, message), make('p', {class: 'links'}, make('a', {href: target.origin === location.origin ? target.href : '/account'}, say(back === '/account' ? 'toAccount' : 'goOn'))));
  focus('confirm-title');
};

const present = async (action) => {
  const {method = 'POST', path, body, words, back} = action;
  const request = {method, path, body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body)};
  byID('action').className = 'stack';
  byID('confirm-title').textContent = titleOf(request, words);
  byID('action').replaceChildren(...await describe(request, words), make('div', {class: 'buttons'},
    button(say('cancel'), () => end(say('notConfirmed'), back)),
    button(say('confirmButton'), async () => {
      const send = await passkeys.confirmShown(request);
      // A request that may have been carried out is not offered again, also not after a reload.
      memory.set('action', null);
      const response = await sendConfirmed(send).catch((error) => error);
      if (response.ok) return end(say('confirmed'), back);
      // The answer of a gateway does not say what the server behind it did.
      if (response.status >= 500) return end(say('uncertain'), back);
      const error = response instanceof Error ? response : await passkeys.errorOf(response);
      if (error.code === 'browser.unanswered') end(say('uncertain'), back);
      else memory.set('action', JSON.stringify(action));
      throw error;
    }, {kind: 'primary'})));
};

try {
  await requireSession();
  const action = JSON.parse(memory.get('action') ?? 'null');
  if (action) await present(action);
  else end(say('nothingToConfirm'));
} catch (error) {
  byID('action').replaceChildren();
  begin();
  showFailure(error);
}
