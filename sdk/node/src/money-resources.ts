/** Money that an account has and sends: wallets, swaps, transfers, and where they go. */
import { type Api, listOf } from './api.ts';
import type {
  Beneficiary,
  BeneficiaryChange,
  BeneficiaryFilter,
  LedgerEntry,
  LedgerEntryFilter,
  NewBeneficiary,
  NewSwap,
  NewTargetAccount,
  NewTransfer,
  Swap,
  SwapFilter,
  SwapQuestion,
  SwapQuoteReply,
  TargetAccount,
  TargetAccountChange,
  TargetAccountFilter,
  Transfer,
  TransferEstimate,
  TransferFilter,
  TransferQuestion,
  TransferReply,
  WalletList,
  WalletReply,
} from './contract.ts';
import type { List } from './list.ts';
import type { CallOptions } from './transport.ts';

export class Wallets {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /** What the account holds of every asset, and what that is worth. */
  list(options?: CallOptions): Promise<WalletList> {
    return this.#api.call('listWallets', undefined, options);
  }

  /** By asset code or asset id. */
  get(assetCode: string, options?: CallOptions): Promise<WalletReply> {
    return this.#api.call('getWallet', { assetCode }, options);
  }

  /** What happened to the money, newest first. */
  entries(filter: LedgerEntryFilter = {}, options?: CallOptions): List<LedgerEntry> {
    return listOf(this.#api, 'listLedgerEntries', filter, options, ({ entries }) => entries);
  }
}

export class Swaps {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /** A price that holds for a minute, and for one swap. */
  quote(question: SwapQuestion, options?: CallOptions): Promise<SwapQuoteReply> {
    return this.#api.call('quoteSwap', question, options);
  }

  /** At the price of a quote (`quoteId`), or at once. */
  async create(swap: NewSwap, options?: CallOptions): Promise<Swap> {
    return (await this.#api.call('createSwap', swap, options)).swap;
  }

  async get(id: string, options?: CallOptions): Promise<Swap> {
    return (await this.#api.call('getSwap', { id }, options)).swap;
  }

  list(filter: SwapFilter = {}, options?: CallOptions): List<Swap> {
    return listOf(this.#api, 'listSwaps', filter, options, ({ swaps }) => swaps);
  }
}

export class Transfers {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /** What a transfer would cost now, and whether it would have to wait. */
  estimate(question: TransferQuestion, options?: CallOptions): Promise<TransferEstimate> {
    return this.#api.call('estimateTransfer', question, options);
  }

  /**
   * Sends money. Give an `idempotencyKey` of your own, such as the number of the payout in your books: then it is sent
   * once, even if your program dies and asks again.
   */
  create(transfer: NewTransfer, options?: CallOptions): Promise<TransferReply> {
    return this.#api.call('createTransfer', transfer, options);
  }

  /** By another API key than the one that asked for it. */
  async approve(id: string, options?: CallOptions): Promise<Transfer> {
    return (await this.#api.call('approveTransfer', { id }, options)).transfer;
  }

  async cancel(id: string, options?: CallOptions): Promise<Transfer> {
    return (await this.#api.call('cancelTransfer', { id }, options)).transfer;
  }

  async get(id: string, options?: CallOptions): Promise<Transfer> {
    return (await this.#api.call('getTransfer', { id }, options)).transfer;
  }

  list(filter: TransferFilter = {}, options?: CallOptions): List<Transfer> {
    return listOf(this.#api, 'listTransfers', filter, options, ({ transfers }) => transfers);
  }
}

/** Destinations of transfers, by label. */
export class TargetAccounts {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  async create(targetAccount: NewTargetAccount, options?: CallOptions): Promise<TargetAccount> {
    return (await this.#api.call('saveTargetAccount', targetAccount, options)).targetAccount;
  }

  async change(targetAccount: TargetAccountChange, options?: CallOptions): Promise<TargetAccount> {
    return (await this.#api.call('saveTargetAccount', targetAccount, options)).targetAccount;
  }

  async get(which: { id: string } | { label: string }, options?: CallOptions): Promise<TargetAccount> {
    return (await this.#api.call('getTargetAccount', which, options)).targetAccount;
  }

  async delete(which: { id: string } | { label: string }, options?: CallOptions): Promise<void> {
    await this.#api.call('deleteTargetAccount', which, options);
  }

  list(filter: TargetAccountFilter = {}, options?: CallOptions): List<TargetAccount> {
    return listOf(this.#api, 'listTargetAccounts', filter, options, ({ targetAccounts }) => targetAccounts);
  }
}

/** Who receives what an account sends. */
export class Beneficiaries {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Gives the id. */
  async create(beneficiary: NewBeneficiary, options?: CallOptions): Promise<string> {
    return (await this.#api.call('createBeneficiary', { beneficiary }, options)).beneficiaryId;
  }

  async change(beneficiary: BeneficiaryChange, options?: CallOptions): Promise<void> {
    await this.#api.call('changeBeneficiary', { beneficiary }, options);
  }

  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#api.call('deleteBeneficiary', { id }, options);
  }

  async get(id: string, options?: CallOptions): Promise<Beneficiary> {
    return (await this.#api.call('getBeneficiary', { id }, options)).beneficiary;
  }

  list(filter: BeneficiaryFilter = {}, options?: CallOptions): List<Beneficiary> {
    return listOf(this.#api, 'listBeneficiaries', filter, options, ({ beneficiaries }) => beneficiaries);
  }
}
