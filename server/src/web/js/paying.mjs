// What a customer does with the page to pay: copying what a wallet needs, and asking a wallet itself. Like pay.mjs it has
// no texts of its own.

export const $ = (selector, root = document) => root.querySelector(selector);
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];

let saying;

/** Lets screen readers say it once, without moving the focus. */
export function announce(text) {
  const status = $('#announce');
  status.textContent = '';
  clearTimeout(saying);
  saying = setTimeout(() => {
    status.textContent = text;
  }, 50);
}

// Copying

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages without https have no clipboard: a selection can still be copied.
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'unseen';
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    return isCopied;
  }
}

async function copyFrom(button) {
  const isCopied = await copy(button.dataset.copy);
  announce(isCopied ? button.dataset.copied : button.dataset.failed);
  button.focus();
  button.classList.toggle('copied', isCopied);
  setTimeout(() => button.classList.remove('copied'), 2000);
  const failed = $('#copy-failed');
  failed.hidden = isCopied;
  if (isCopied) return;
  // Then the customer copies it by hand: the value is shown and already selected.
  const value = $('.value', failed);
  value.textContent = button.dataset.copy;
  button.closest('dialog')?.close();
  failed.scrollIntoView({ block: 'nearest' });
  getSelection().selectAllChildren(value);
}

document.addEventListener('click', ({ target }) => {
  if (target.closest('[data-opens]')) expectWallet();
  const button = target.closest('button');
  if (!button) return;
  if ('copy' in button.dataset) void copyFrom(button);
  else if ('print' in button.dataset) print();
  else if ('chain' in button.dataset) void payByWallet(button);
  else if ('signing' in button.dataset) void payByFreighter(button);
});

// A colour that is picked is written into its field

document.addEventListener('input', ({ target }) => {
  if (target.dataset.picks) $(`#${target.dataset.picks}`).value = target.value;
});

// The networks of a coin that was chosen are brought into sight

document.addEventListener('change', ({ target }) => {
  if (target.name === 'coin') target.closest('.coin-row').scrollIntoView({ block: 'nearest' });
});

// Which code is chosen is part of the address: a reload, another language and the answer to a form keep it

document.addEventListener('change', ({ target }) => {
  if (target.name !== 'code') return;
  const kept = (address) => {
    const url = new URL(address, location);
    url.searchParams.set('way', target.value);
    return `${url.pathname}${url.search}${url.hash}`;
  };
  history.replaceState(null, '', kept(location));
  for (const link of all('.lang a')) link.setAttribute('href', kept(link.getAttribute('href')));
  for (const form of all('#contact form, #way-back form, #sandbox'))
    form.setAttribute('action', kept(form.getAttribute('action')));
});

// While a form is being sent, its button says so and cannot be used again, until the page is shown anew

document.addEventListener('submit', ({ submitter, target }) => {
  if (target.method !== 'dialog') submitter?.setAttribute('aria-busy', 'true');
});
addEventListener('pageshow', () => {
  for (const button of all('[aria-busy]')) button.removeAttribute('aria-busy');
});

/** Shows beside the button what the wallet does. */
function walletSays(text, tone) {
  const line = $('#wallet-says');
  line.className = `notice ${tone}`;
  line.textContent = text;
  line.hidden = false;
}

// A wallet app: if the page is still in front two seconds after the link was used, none has answered

function expectWallet() {
  const isGone = () => document.hidden || !document.hasFocus();
  let hasLeft = false;
  const leave = () => {
    hasLeft = true;
  };
  for (const way of ['blur', 'pagehide']) addEventListener(way, leave, { once: true });
  setTimeout(() => {
    for (const way of ['blur', 'pagehide']) removeEventListener(way, leave);
    if (!hasLeft && !isGone()) $('#no-wallet')?.showModal();
  }, 2000);
}

// A wallet in the browser (EIP-1193)

/** What wallets answer about a chain that they do not know. On phones it may be wrapped into another error. */
const unknownChain = 4902;

/** Throws what the customer is to read, or what the wallet has thrown. */
async function switchChain({ chain, add, unknown }) {
  const { ethereum } = window;
  const change = () => ethereum.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: chain }] });
  try {
    await change();
  } catch (error) {
    if ((error?.data?.originalError?.code ?? error?.code) !== unknownChain) throw error;
    if (!add) throw new WalletLacks(unknown);
    await ethereum.request({ method: 'wallet_addEthereumChain', params: [JSON.parse(add)] });
    await change();
  }
}

class WalletLacks extends Error {}

async function payByWallet({ dataset }) {
  const { ethereum } = window;
  walletSays(dataset.asked, 'wait');
  try {
    const [from] = await ethereum.request({ method: 'eth_requestAccounts' });
    await switchChain(dataset);
    const transaction = { from, to: dataset.to, value: dataset.value };
    if (dataset.data) transaction.data = dataset.data;
    await ethereum.request({ method: 'eth_sendTransaction', params: [transaction] });
  } catch (error) {
    walletSays(error instanceof WalletLacks ? error.message : dataset.refused, 'fail');
  }
}

// Freighter, which gets messages and only signs: the server makes the transaction and sends it

function askFreighter(request) {
  const messageId = Date.now() + Math.random();
  return new Promise((resolve) => {
    const listen = ({ source, data }) => {
      // `messagedId` is how Freighter spells it.
      if (source !== window || data?.source !== 'FREIGHTER_EXTERNAL_MSG_RESPONSE' || data.messagedId !== messageId)
        return;
      removeEventListener('message', listen);
      resolve(data);
    };
    addEventListener('message', listen);
    postMessage({ source: 'FREIGHTER_EXTERNAL_MSG_REQUEST', messageId, ...request }, location.origin);
  });
}

/** Shows the buttons of the wallets that are there. */
export async function lookForWallets() {
  for (const button of all('[data-wallet]')) button.hidden = !window.ethereum?.request;
  const button = $('[data-freighter]');
  if (button?.hidden && (await askFreighter({ type: 'REQUEST_CONNECTION_STATUS' })).isConnected) button.hidden = false;
}

async function payByFreighter({ dataset }) {
  const post = async (form) => {
    const response = await fetch(dataset.signing, { method: 'POST', body: new URLSearchParams(form) });
    if (!response.ok) throw new Error(String(response.status));
    return response.json();
  };
  walletSays(dataset.asked, 'wait');
  try {
    const { publicKey } = await askFreighter({ type: 'REQUEST_ACCESS' });
    const { transaction, passphrase } = await post({ account: publicKey });
    const { signedTransaction } = await askFreighter({
      type: 'SUBMIT_TRANSACTION',
      transactionXdr: transaction,
      networkPassphrase: passphrase,
      accountToSign: publicKey,
    });
    await post({ signed: signedTransaction });
  } catch {
    walletSays(dataset.refused, 'fail');
  }
}
