// SPDX-License-Identifier: Apache-2.0
// Holdings, an order form, and the orders so far. The server decides which orders need a confirmation.

import {PasskeyError} from './passkey.js';
import {language} from './site.js';
import {
  badge, begin, button, byID, fill, focus, make, nameOf, onSubmit, passkeys, requireSession, run, say, sendConfirmed, show, showFailure, tell,
  when,
} from './ui.js';

const times = new Intl.DateTimeFormat(language, {timeStyle: 'short'});
const counts = new Intl.NumberFormat(language);

/** Writes an amount, which the server sends as text such as `421.00`. */
const money = (amount) =>
  new Intl.NumberFormat(language, {style: 'currency', currency: latest?.market.currency ?? 'USD'}).format(amount);

/** What the server last said, kept only as long as the page; null before the first answer. */
let latest = null;
let isStale = false;

const read = async (path) => {
  const response = await passkeys.fetch(path);
  if (!response.ok) throw await passkeys.errorOf(response);
  return response.json();
};

/** Asks for everything again. After a failure the last answers stay visible, with their time. */
const refresh = async () => {
  try {
    const [market, portfolio, {positions}, {orders}] = await Promise.all(
      ['/api/market', '/api/portfolio', '/api/positions', '/api/orders'].map(read));
    latest = {market, portfolio, positions, orders, time: new Date()};
    isStale = false;
    byID('stale').textContent = '';
    showHoldings();
    showPrices();
    showOrders();
  } catch (error) {
    isStale = true;
    if (latest) {
      byID('stale').textContent = say('lastUpdated', {time: times.format(latest.time)});
    } else {
      byID('holdings').replaceChildren(make('p', {class: 'empty'}, say('notLoaded')), button(say('retry'), async () => {
        await refresh();
        focus('holdings-title');
      }));
      fill(byID('orders'), [], '—');
    }
    throw error;
  } finally {
    byID('holdings').removeAttribute('aria-busy');
    byID('orders').removeAttribute('aria-busy');
  }
};

// Holdings

const priceOf = (symbol) => latest?.market.prices.find((one) => one.symbol === symbol)?.price;

/** Multiplies a price by a quantity, in cents. */
const valueOf = (symbol, quantity) => Math.round(priceOf(symbol) * 100) * quantity / 100;

const figure = (name, amount) => make('div', {}, make('dt', {}, name), make('dd', {}, money(amount)));

const holdingRow = ({symbol, quantity}) => make('tr', {},
  make('th', {scope: 'row'}, symbol), make('td', {}, counts.format(quantity)), make('td', {}, money(priceOf(symbol))),
  make('td', {class: 'amount'}, money(valueOf(symbol, quantity))));

const showHoldings = () => {
  const {portfolio, positions} = latest;
  const columns = ['symbol', 'quantity', 'price', 'value'].map((name) => make('th', {scope: 'col'}, say(name)));
  byID('holdings').replaceChildren(
    make('dl', {class: 'figures'}, figure(say('totalValue'), portfolio.value), figure(say('cash'), portfolio.cash)),
    positions.length
      ? make('table', {}, make('caption', {}, say('holdings')), make('thead', {}, make('tr', {}, columns)),
        make('tbody', {}, positions.map(holdingRow)))
      : make('p', {class: 'empty'}, say('noHoldings')));
};

// Orders

const nameOfOrder = ({side, symbol, quantity}) =>
  say(side === 'buy' ? 'buyOrder' : 'sellOrder', {symbol, quantity: counts.format(quantity)});

/** Says why the book rejected an order. */
const reason = (outcome) => say(outcome === 'order.not-enough-cash' ? 'notEnoughCash' : 'notEnoughHeld');

const orderRow = (order) => {
  const isFilled = order.outcome === 'filled';
  return make('li', {class: 'row'},
    make('div', {},
      make('div', {class: 'title'}, make('strong', {}, nameOfOrder(order)),
        isFilled ? badge(say('filled'), 'good') : badge(say('rejected'), 'bad'),
        order.confirmed && badge(say('confirmedOrder'), 'info')),
      make('p', {class: 'meta'}, [when(order.time), !isFilled && reason(order.outcome)].filter(Boolean).join(' · '))),
    make('span', {class: 'amount'}, money(order.value)));
};

const showOrders = () => {
  const chosen = byID('show').value;
  const found = latest.orders.filter(({outcome}) => !chosen || (outcome === 'filled') === (chosen === 'filled'));
  fill(byID('orders'), found.map(orderRow), say(chosen ? 'noSuchOrders' : 'noOrders'));
};

byID('show').addEventListener('change', () => latest && showOrders());

// The form

const showPrices = () => {
  const chosen = byID('symbol').value;
  byID('symbol').replaceChildren(...latest.market.prices.map(({symbol, price}) =>
    make('option', {value: symbol, selected: symbol === chosen}, say('symbolAtPrice', {symbol, price: money(price)}))));
  byID('order-lead').textContent = say('limit', {limit: money(latest.market.unconfirmedLimit)});
  showEstimate();
};

const showEstimate = () => {
  const [symbol, quantity] = [byID('symbol').value, Number(byID('quantity').value)];
  const isOrder = priceOf(symbol) !== undefined && Number.isInteger(quantity) && quantity > 0;
  byID('estimate').textContent = isOrder ? say('estimate', {value: money(valueOf(symbol, quantity))}) : '';
};

byID('order').addEventListener('input', showEstimate);

/** Sends an order; with a confirmation if the server asks for one. Resolves to the answer of the book. */
const place = async (order) => {
  const request = {path: '/api/orders', method: 'POST', body: JSON.stringify(order)};
  const text = say('orderWords', {order: nameOfOrder(order), value: money(valueOf(order.symbol, order.quantity))});
  let response = await passkeys.fetch(request.path, {...request, headers: {'content-type': 'application/json'}});
  if (response.status === 401) {
    const error = await passkeys.errorOf(response);
    if (!error.stepUp) throw error;
    const send = await passkeys.asking({title: say('confirmOrder'), text, isComplete: true}, () => passkeys.confirm(request));
    response = await sendConfirmed(send);
  }
  if (!response.ok) throw await passkeys.errorOf(response);
  return response.json();
};

onSubmit(byID('order'), async ({side, symbol, quantity}) => {
  // After a lost connection the user sees the present state before anything is sent.
  if (isStale) {
    await refresh();
    return tell(say('refreshed'), 'quiet');
  }
  const order = {side, symbol, quantity: Number(quantity)};
  try {
    const filled = await place(order);
    byID('quantity').value = '';
    tell(say(side === 'buy' ? 'bought' : 'sold', {symbol, quantity: counts.format(order.quantity), value: money(filled.value)}));
  } catch (error) {
    if (error.code === 'page.declined') return tell(say('notOrdered'), 'quiet');
    // An order without an answer may have reached the server.
    throw error.code === 'browser.unanswered'
      ? new PasskeyError('order.unanswered', say('unanswered'), {cause: error}) : error;
  } finally {
    // The form is ready again before the lists are. The message about the order is worth more than one about them.
    refresh().catch(() => {});
  }
});

byID('refresh').addEventListener('click', ({currentTarget}) => run(currentTarget, refresh));
addEventListener('offline', () => refresh().catch(() => {}));
addEventListener('online', () => refresh().catch(show));

try {
  byID('who').textContent = say('signedInAs', {name: nameOf(await requireSession())});
  await refresh();
} catch (error) {
  begin();
  // Holdings that cannot be loaded have a button of their own.
  (isStale ? show : showFailure)(error);
}
