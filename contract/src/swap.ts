/** Swaps: something that the account holds is exchanged for another asset. */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { decimalInput, decimalText } from './money.ts';
import { createdBetween, nextPage, pageQuery } from './page.ts';
import { customObject, here, idInput, idText, named, nullable, timestamp, url } from './text.ts';
import { waitingRecord } from './wallet.ts';

export const swapStates = ['PROCESSING', 'COMPLETED', 'FAILED'] as const;

const swapState = Type.Enum([...swapStates], {
  title: 'SwapState',
  description:
    'PROCESSING: what is given is reserved, a market is at work. COMPLETED: credited. FAILED: nothing was exchanged, and ' +
    'what was reserved is available again.',
});

const assetInput = (description: string, otherNames: readonly string[]) =>
  Type.String({ minLength: 1, maxLength: 80, description: `${description} Asset id or code.`, ...named(otherNames) });

const amounts = {
  sourceAmount: Type.Optional(
    decimalInput({ description: 'What is given, exactly. Either this or targetAmount.', minimum: '0' }),
  ),
  targetAmount: Type.Optional(
    decimalInput({ description: 'What is credited, after the fee. Either this or sourceAmount.', minimum: '0' }),
  ),
};

export const swapQuoteQuery = Type.Object({
  sourceAsset: assetInput('What is given.', ['sourceAssetId', 'sourceAssetCode']),
  targetAsset: assetInput('What is wanted.', ['targetAssetId', 'targetAssetCode']),
  ...amounts,
});

const price = {
  sourceAssetId: Type.String({ description: 'Id of the asset that is given.' }),
  sourceAssetCode: Type.String({ description: 'Its code.' }),
  sourceAmount: decimalText('What is given.'),
  targetAssetId: Type.String({ description: 'Id of the asset that is credited.' }),
  targetAssetCode: Type.String({ description: 'Its code.' }),
  targetAmount: decimalText('What is credited: after the fee.'),
  fee: decimalText('What the service keeps, in the target asset.'),
  rate: decimalText(
    'What one of the source asset is worth in the target asset, before the spread and the fee. Of a swap that a market ' +
      'completed: what was given for it.',
  ),
  spread: decimalText(
    'What the service keeps of the rate, in percent: more the older the rates are and the fewer sources vouch for them.',
  ),
};

export const swapQuoteRecord = Type.Object(
  { id: idText('Id of the quote, for POST /swap. Good for one swap.'), ...price, validUntil: timestamp('Until then.') },
  { title: 'SwapQuote', description: 'The price of a swap.' },
);

export const swapQuoteReply = Type.Object(
  { quote: swapQuoteRecord, waiting: Type.Optional(waitingRecord) },
  { title: 'SwapQuoteReply', description: 'The price of a swap, and whether money would have to wait.' },
);

export const swapBody = Type.Object(
  {
    quoteId: Type.Optional(idInput('Id of a quote. With it nothing else is needed.')),
    sourceAsset: Type.Optional(assetInput('What is given.', ['sourceAssetId', 'sourceAssetCode'])),
    targetAsset: Type.Optional(assetInput('What is wanted.', ['targetAssetId', 'targetAssetCode'])),
    ...amounts,
    maxSlippagePercent: decimalInput({
      description:
        'How much less than the price of this moment may be credited, in percent. Without a quote and with sourceAmount: ' +
        'then a market may give a little less, or more, than was expected.',
      minimum: '0',
      maximum: '50',
      default: '1',
    }),
    webhook: Type.Optional(url('URL that receives the events of the swap.')),
    meta: Type.Optional(customObject('Anything; echoed wherever the swap is shown.')),
  },
  { title: 'NewSwap', description: 'A new swap: the id of a quote, or both assets and one amount.' },
);

export const swapRecord = Type.Object(
  {
    id: idText('Id of the swap.'),
    timestamp: timestamp('When it was asked for.'),
    state: swapState,
    ...price,
    venue: nullable(
      Type.String({ description: 'Where it is exchanged: treasury, the stock of the service, or stellar-dex.' }),
    ),
    quoteId: nullable(Type.String({ description: 'The quote that was used.' })),
    createdBy: Type.String({ description: 'Who asked for it: an API key, or `person:` and the id of a person.' }),
    tx: nullable(Type.String({ description: 'Hash of the transaction that exchanged it, where there is one.' })),
    failure: nullable(Type.String({ description: 'Why it failed, in one sentence.' })),
    completionTime: nullable(timestamp('When it was completed or failed.')),
    meta: Type.Optional(
      Type.Unsafe<unknown>({ description: 'What was posted as meta. Absent when nothing was posted.' }),
    ),
  },
  { title: 'Swap', description: 'A swap as it is shown in replies and webhooks.' },
);

export const createdSwapReply = Type.Object(
  { id: idText('Id of the swap.'), swap: swapRecord },
  { title: 'CreatedSwap', description: 'A swap that was asked for.' },
);

export const swapQuery = Type.Object({ id: idInput('Id of the swap.', ['swapId']) });

export const swapReply = Type.Object({ swap: swapRecord }, { title: 'SwapReply', description: 'A swap.' });

export const swapsQuery = Type.Object({
  ...pageQuery,
  state: Type.Optional(here(swapState, 'Only swaps in this state.')),
  ...createdBetween('swaps'),
});

export const swapsReply = Type.Object(
  { swaps: Type.Array(swapRecord, { description: 'Newest first.' }), next: nextPage },
  { title: 'SwapList', description: 'A page of swaps.' },
);

export type SwapState = (typeof swapStates)[number];
export type SwapBody = Static<typeof swapBody>;
export type SwapQuoteQuery = Static<typeof swapQuoteQuery>;
export type SwapQuoteRecord = Static<typeof swapQuoteRecord>;
export type SwapRecord = Static<typeof swapRecord>;
export type SwapsQuery = Static<typeof swapsQuery>;
