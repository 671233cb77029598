/**
 * Every failure that we expect is either about the request, which then must be another one (4xx), or about the moment:
 * then it says when to come back, and no Idempotency-Key keeps it. Whoever adds one decides which, here.
 */
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderError } from '../src/http/render-error.ts';
import { GatewayError, told } from '../src/lib/errors.ts';
import { NetworkError } from '../src/networks/port/connector.ts';

const asset = { assetCode: 'BTC', ledgerScale: 8 };
const leaving = { mostUnits: 1n, wait: null };
const amounts = { available: '1', amount: '1', fee: '1', code: 'BTC' };

type Kind = 'request' | 'moment';
/** By file and name: which it is, with examples of what it is called with. */
const failures: Record<string, Record<string, readonly [Kind, ...(readonly unknown[])][]>> = {
  'auth/auth-errors.ts': { notAuthenticated: [['request', 'No.']], notAllowed: [['request', 'No.']] },
  'bank-files/bank-file-errors.ts': {
    bytesNotKept: [['request']],
    noSuchBank: [
      ['request', 'x', ['SEPA']],
      ['request', 'x', []],
    ],
  },
  'bank-files/payment-file-errors.ts': {
    noPaymentFiles: [
      ['request', 'x', ['SEPA']],
      ['request', 'x', []],
    ],
    nothingToPay: [
      ['request', 'SEPA', 0],
      ['request', 'SEPA', 2],
    ],
    othersWereFaster: [['request']],
    downloadedBefore: [['request', 1]],
    fileIsVoid: [['request']],
    bytesForgotten: [['request']],
    declarationNeeded: [['request']],
    allDecided: [['request']],
    orderInFile: [['request', 'k3x9ab72mq0z']],
    orderBooked: [['request', 'k3x9ab72mq0z']],
    orderEnded: [['request']],
    orderInDoubt: [['request']],
    fileHeld: [['request', ['k3x9ab72mq0z']]],
    partsDecided: [
      ['request', ['k3x9ab72mq0z'], 1],
      ['request', ['k3x9ab72mq0z'], 2],
    ],
    fileInDoubt: [['request', ['k3x9ab72mq0z']]],
    orderAnnounced: [['request']],
    reasonNeeded: [['request', 200]],
  },
  'reports/report-errors.ts': {
    daysBeingCounted: [['moment']],
    noClosedDay: [['request']],
    noPeriod: [['request', 'soon']],
    tooLongForPdf: [['request', 2000]],
    camtNeedsCurrency: [['request', 'BTC']],
    camtNeedsRates: [['request']],
    exportNotFound: [['request', 'x']],
    exportNotReady: [
      ['moment', 'x', 'MAKING'],
      ['request', 'x', 'DELETED'],
    ],
    tooManyExports: [['moment', 2]],
    tooManyExportsInAll: [['moment']],
    tooManyKeptExports: [['request', 10]],
  },
  'payment-links/payment-link-errors.ts': {
    paymentLinkNotFound: [['request', 'x']],
    paymentLinkClosed: [['request']],
    paymentLinkUsedUp: [['request']],
    shopSuspended: [['request']],
    signatureWrong: [['request']],
    referenceTaken: [['request']],
    linkAmountWrong: [['request', 'link_amount_too_small', 'The amount must be at least 5 USD.', '5']],
  },
  'counterparties/customer-errors.ts': {
    customerNotFound: [['request', 'x']],
    emailTaken: [['request', 'a@b.c']],
    mailsDoNotArrive: [['request']],
  },
  'checkouts/checkout-errors.ts': {
    checkoutNotFound: [['request', 'x']],
    networkNotOffered: [['request', 'BITCOIN', []]],
    assetNotOffered: [['request', 'BTC', 'BITCOIN', []]],
    noPaymentMethod: [
      ['request', { leftOut: [{ reason: 'The smallest payment is 1.', isPassing: false }], advice: [] }],
      ['request', { leftOut: [], advice: ['Choose another asset.'] }],
      ['moment', { leftOut: [{ reason: 'Bitcoin is not reachable.', isPassing: true }], advice: [] }],
      [
        'moment',
        {
          leftOut: [
            { reason: 'Too little.', isPassing: false },
            { reason: 'No rate.', isPassing: true },
          ],
          advice: [],
        },
      ],
    ],
    methodAway: [['moment', { reason: told('away', 'Bitcoin is not reachable.') }]],
    notInStock: [['moment', told('little', 'Too little.')]],
    acceptanceNotInStock: [['moment']],
    cannotCommit: [['request', 'COMPLETED']],
    cannotCancel: [['request', 'COMPLETED', true]],
    cannotAccept: [['request', 'COMPLETED']],
    nothingToAccept: [['request']],
    noReceiptToSend: [['request']],
    receiptSentOften: [['moment', 7]],
    accountAssetGone: [['request', 'BTC']],
    assetNotCreditable: [['request', 'BTC']],
    nothingPayable: [['request', ['BTC', 'LTC']]],
  },
  'deposits/deposit-errors.ts': {
    depositNotFound: [['request', 'x']],
    networkAway: [['moment', 'Bitcoin']],
    tooManyOpen: [['request', 3]],
    cannotReceive: [['moment', 'Lightning', '1 SAT']],
  },
  'merchants/brand-errors.ts': {
    noColour: [['request', 'reddish']],
    domainIsOurs: [['request', 'pay.test']],
    imageTooLarge: [['request']],
    imageOfOtherKind: [['request']],
    imageTooManyPixels: [['request']],
    imageDamaged: [['request']],
    imageTooDetailed: [['request']],
    fontTooLarge: [['request']],
    fontOfOtherKind: [['request']],
    fontDamaged: [['request']],
  },
  'papers/paper-errors.ts': {
    paperNotFound: [['request', 'x']],
    notCorrectable: [['request', 'another credit note']],
    nothingLeft: [['request', 'INV-1']],
    moreThanLeft: [['request', '1.00', 'EUR']],
    badCreditAmount: [['request', 2]],
    reasonTooLong: [['request', 200]],
    nobodyToMail: [['request', 'INV-1']],
  },
  'people/people-errors.ts': {
    passwordProblem: [['request', 'password_short', 'No.']],
    nameMissing: [['request']],
    nameLong: [['request']],
    emailWrong: [['request']],
    signInRefused: [['request']],
    codeRefused: [['request']],
    passkeyRefused: [['request']],
    waitBeforeTrying: [['moment', 7]],
    linkNotGood: [['request']],
    linkNotYetGood: [['request', new Date(0)]],
    challengeNotGood: [['request']],
    businessWrong: [['request']],
    signUpClosed: [['request']],
    signUpsFull: [['moment']],
    signUpsFromHere: [['moment']],
    signUpNotWaiting: [['request', 'APPROVED']],
    notYours: [['request']],
    emailTaken: [['request']],
    alreadyMember: [['request']],
    addressProven: [['request']],
    addressTaken: [['request']],
    notRecoverable: [['request']],
    tooManyElsewhere: [['moment']],
    belongsElsewhere: [['request']],
    notYourself: [['request']],
    lastOwner: [['request']],
    onlyOwners: [['request']],
    lastFactor: [['request']],
  },
  'refunds/refund-errors.ts': {
    refundNotFound: [['request', 'x']],
    nothingToRefund: [['request', 'CREATED', 'nothing']],
    noTrustedEmail: [['request']],
    beingExchanged: [['moment']],
    ambiguousRefund: [['request', []]],
    moreThanRefundable: [['request', '1', 'BTC']],
    needsPasskey: [['request']],
    tooLittleToSend: [['request', 'BTC', 'Bitcoin']],
    tooMuchToSend: [['request', 'EUR', 'SEPA']],
    goesBackOnly: [['request', 'SEPA']],
    payerUnknown: [['request', 'SEPA']],
    notGivenBack: [['request', 'Pix', 'The bank does not know this payment.']],
    tooMuchOfOnePayment: [['request', '1.00', 'BRL', 'Pix']],
    payerNotPayable: [
      ['request', 'SEPA', { sentence: 'No.', about: 'bic' }],
      ['request', 'SEPA', { sentence: 'No.', about: 'account' }],
    ],
    payersDiffer: [['request', 'SEPA']],
    moreThanPaidThere: [['request', '0.01', 'EUR', 'SEPA']],
    notEnoughAvailable: [['request', '2', '1', 'BTC']],
    cannotSendThere: [['request', [told('x', 'It cannot be sent.')]]],
    nothingIsSent: [['request', 'Bitcoin']],
    networkIsAway: [['moment', 'Bitcoin']],
    noRateForRefund: [['moment', 'There is no rate.']],
    badAddress: [['request', 'No.']],
    cannotCancelRefund: [['request', 'SENDING']],
    notAwaitingApproval: [['request', 'SENDING']],
    approvedByItself: [['request']],
  },
  'settlements/settlement-errors.ts': {
    beingUnsettled: [['moment']],
    noExcess: [['request', 'CREATED']],
  },
  'wallets/leaving-errors.ts': {
    mustWait: [['moment', asset, leaving]],
    paymentMustWait: [['moment', 'Bitcoin', 1, null]],
  },
  'wallets/swap-errors.ts': {
    swapNotFound: [['request', 'x']],
    swapQuoteNotFound: [['request', 'x']],
    quoteOver: [['request', 'x']],
    quoteOutrun: [['request', 'x']],
    quoteUsed: [['request', 'x']],
    notEnough: [['request', '1', 'BTC']],
    tooLittle: [['request', 'BTC']],
    noSwapRate: [['moment', 'BTC', 'no source knows it']],
    noVenue: [['moment', 'Too little.']],
    noMarket: [['request', 'BTC', 'XYZ']],
  },
  'wallets/transfer-errors.ts': {
    transferNotFound: [['request', 'x']],
    notEnoughAvailable: [['request', amounts]],
    cannotSendNow: [['moment', 'Lightning', '1 SAT']],
    cannotSend: [['request', 'Bitcoin', 'No.']],
    noRateForFee: [['moment', 'no rate']],
    notAwaitingApproval: [['request', 'SENT']],
    approvedByItself: [['request']],
    cannotCancelTransfer: [['request', 'SENT']],
    needsPasskey: [['request']],
    destinationChanged: [['request']],
    feeRose: [['request', { assetCode: 'BTC', ledgerScale: 8 }, 1n]],
    notToRefuse: [['request', 'SENT']],
  },
};

test('every expected failure is about the request or about the moment', async () => {
  const source = join(import.meta.dirname, '../src');
  const files: string[] = [];
  for await (const file of glob('**/*-errors.ts', { cwd: source })) files.push(file);
  files.sort();
  assert.deepEqual(files, Object.keys(failures).toSorted());
  for (const file of files) {
    const made = (await import(join(source, file))) as Record<string, (...given: unknown[]) => GatewayError>;
    const known = failures[file] ?? {};
    assert.deepEqual(Object.keys(made).toSorted(), Object.keys(known).toSorted(), file);
    for (const [name, examples] of Object.entries(known))
      for (const [kind, ...given] of examples) {
        const error = made[name]?.(...given);
        assert.ok(error instanceof GatewayError, name);
        const { status, headers, body } = renderError(error, silent);
        assert.equal('retry-after' in headers ? 'moment' : 'request', kind, name);
        if (kind === 'request') assert.ok(status >= 400 && status < 500, name);
        // A smaller amount, or another method, would do at once; where nothing else would, it is our failure.
        if (kind === 'moment') assert.ok([503, 409, 422, 429].includes(status), name);
        for (const sentence of JSON.parse(body).errors) assert.match(sentence, /^[A-Z0-9].*[.]$/s, name);
      }
  }
});

const silent = { warn: () => undefined, error: () => undefined };

test('failures are answered in the form that the SDKs read, with every status of the contract', async () => {
  const read = async (path: string) => JSON.parse(await readFile(join(import.meta.dirname, '../..', path), 'utf8'));
  const { errors } = await read('sdk/vectors/errors.json');
  for (const { name, status, headers, body, sentences, canRetry } of errors) {
    if (status < 400 || body !== JSON.stringify({ errors: sentences })) continue; // Not ours: of a proxy, or of another page.
    const error = new GatewayError({ code: 'x', httpStatus: status, message: sentences, headers });
    assert.deepEqual(renderError(error, silent), { status, headers, body }, name);
    const isPassing = status === 500 || Object.keys(headers).some((header) => header.toLowerCase() === 'retry-after');
    assert.equal(canRetry, isPassing, name);
  }
  const { components } = await read('contract/openapi.json');
  const inVectors = new Set(errors.map((error: { status: number }) => String(error.status)));
  for (const status of Object.keys(components.responses)) assert.ok(inVectors.has(status), status);
});

test('what is away is said to be away, whoever noticed it', () => {
  const unexpected: unknown[] = [];
  const log = { warn: () => undefined, error: (fields: unknown) => void unexpected.push(fields) };
  for (const error of [
    new NetworkError('The node does not answer.', { isRetryable: true }),
    new NetworkError('The node refuses our password.', { isRetryable: false }),
    Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    new Error('Query read timeout'),
  ]) {
    const { status, headers } = renderError(error, log);
    assert.equal(status, 503, error.message);
    assert.match(headers['retry-after'] ?? '', /^\d+$/);
  }
  assert.deepEqual(unexpected, []);
  assert.equal(renderError(new Error('a bug'), log).status, 500);
  assert.equal(unexpected.length, 1);
});
