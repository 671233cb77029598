/**
 * The sandbox's Stellar: a local ledger behind Horizon's interface, with a faucet that pays in lumens and dollars, and
 * an owner who can close ledgers at will.
 */
import { join } from 'node:path';
import { decimal, toUnits } from '@quittance/server/money/decimal';
import {
  Account,
  Keypair,
  Memo,
  Operation,
  StrKey,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk';
import { openJournal } from '../journal.ts';
import { badField } from './horizon-problem.ts';
import { serveHorizon } from './horizon-server.ts';
import { assetOf, formatStroops } from './ledger-entries.ts';
import { createStellarLedger, type JournaledLedger, type StellarLedger } from './stellar-ledger.ts';

export const sandboxPassphrase = 'Quittance Sandbox ; 2026';

/** Circle's dollars, as on the public network. Nobody here can sign for Circle, so the faucet has some to begin with. */
export const sandboxUsdc = {
  code: 'USDC',
  issuer: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
} as const;

export type StellarPayment = {
  readonly address: string;
  readonly units: bigint;
  /** `native` unless said otherwise. */
  readonly asset?: string;
};

export type StellarNetworkOptions = {
  /** For the owner's commands; reading and submitting need neither, as with Horizon. */
  readonly user: string;
  readonly password: string;
  /** Where the ledger is kept between starts. Left out: it is gone with the process. */
  readonly folder?: string;
  readonly port?: number;
  readonly now?: () => Date;
  /** Left out: ledgers close only when they are told to. */
  readonly closeEveryMs?: number;
};

export type StellarNetwork = {
  readonly ledger: StellarLedger;
  readonly url: string;
  /** With user and password, for the owner's commands. */
  readonly ownerUrl: string;
  readonly port: number;
  /** From the faucet, in one transaction with one memo; gives its hash. It is paid when the next ledger closes. */
  pay(memo: string | null, ...payments: readonly StellarPayment[]): string;
  /** A transaction of whoever signs it, built on the account's next sequence number. */
  send(
    signer: Keypair,
    operations: readonly xdr.Operation[],
    options?: { memo?: Memo; source?: string; fee?: string },
  ): string;
  build(
    signer: Keypair,
    operations: readonly xdr.Operation[],
    options?: { memo?: Memo; source?: string; fee?: string },
  ): Transaction;
  /** Makes the account if there is none, with these trustlines, and closes as many ledgers as that needs. */
  openAccount(keypair: Keypair, lumens: string, ...assets: readonly string[]): void;
  close(ledgers?: number): void;
  stop(): Promise<void>;
};

export async function startStellarNetwork(options: StellarNetworkOptions): Promise<StellarNetwork> {
  const opened =
    options.folder === undefined ? null : openJournal<JournaledLedger>(join(options.folder, 'stellar.jsonl'));
  const ledger = createStellarLedger({
    passphrase: sandboxPassphrase,
    now: options.now ?? (() => new Date()),
    endowed: [sandboxUsdc],
    ...(opened && { journal: opened.journal, past: opened.entries }),
    ...(options.closeEveryMs !== undefined && { closeEveryMs: options.closeEveryMs }),
  });
  const { root } = ledger;

  const build: StellarNetwork['build'] = (
    signer,
    operations,
    { memo, source = signer.publicKey(), fee = '100' } = {},
  ) => {
    const account = new Account(source, String(ledger.nextSequence(source) - 1n));
    const builder = new TransactionBuilder(account, { fee, networkPassphrase: sandboxPassphrase }).setTimeout(0);
    for (const operation of operations) builder.addOperation(operation);
    if (memo) builder.addMemo(memo);
    const tx = builder.build();
    tx.sign(signer);
    return tx;
  };
  const send: StellarNetwork['send'] = (signer, operations, more) =>
    ledger.submit(build(signer, operations, more).toXdr()).hash;

  function pay(memo: string | null, ...payments: readonly StellarPayment[]): string {
    const operations = payments.map(({ address, units, asset = 'native' }) =>
      Operation.payment({ destination: address, asset: assetOf(asset), amount: formatStroops(units) }),
    );
    return send(root, operations, memo === null ? {} : { memo: Memo.text(memo) });
  }

  function close(ledgers = 1): void {
    for (let count = 0; count < ledgers; count += 1) ledger.close();
  }

  function openAccount(keypair: Keypair, lumens: string, ...assets: readonly string[]): void {
    const id = keypair.publicKey();
    if (!ledger.entries.accounts.get(id)) {
      send(root, [Operation.createAccount({ destination: id, startingBalance: lumens })]);
      close();
    }
    const missing = assets.filter((asset) => !ledger.entries.trustlines.get(`${id}/${asset}`));
    if (missing.length === 0) return;
    send(
      keypair,
      missing.map((asset) => Operation.changeTrust({ asset: assetOf(asset) })),
    );
    close();
  }

  function fund(account: string): string {
    if (!StrKey.isValidEd25519PublicKey(account)) throw badField('addr', 'addr must be a Stellar account');
    return send(root, [Operation.createAccount({ destination: account, startingBalance: '10000' })]);
  }

  const server = await serveHorizon({ ...options, ledger, fund, commands: ownerCommands({ ledger, pay, close }) });
  return {
    ledger,
    build,
    send,
    pay,
    close,
    openAccount,
    url: server.url,
    port: server.port,
    ownerUrl: server.url.replace(
      '//',
      `//${encodeURIComponent(options.user)}:${encodeURIComponent(options.password)}@`,
    ),
    async stop() {
      await server.close();
      ledger.stop();
    },
  };
}

/** The same names as those of the other chains of the sandbox. */
function ownerCommands({ ledger, pay, close }: Pick<StellarNetwork, 'ledger' | 'pay' | 'close'>) {
  return {
    sandbox_pay(to: { address: string; amount: string; memo?: string | null; asset?: string }): string {
      const asset = to.asset === sandboxUsdc.code ? `${sandboxUsdc.code}:${sandboxUsdc.issuer}` : 'native';
      return pay(to.memo ?? null, { address: to.address, asset, units: toUnits(decimal(to.amount), 7, 'down') });
    },
    /** It has trustlines to none of the tokens that a service issues. */
    sandbox_address({ asset }: { asset: string }): string | null {
      return ['XLM', sandboxUsdc.code].includes(asset) ? ledger.root.publicKey() : null;
    },
    sandbox_mine(count = 1): string[] {
      return Array.from({ length: count }, () => {
        close();
        return ledger.history.latest().hash;
      });
    },
  };
}
