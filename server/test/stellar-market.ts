/** A market on the sandbox's Stellar, an issuing account for the bridge, and a gateway that uses both. */
import { formatStroops, trustlineKey } from '@quittance/sandbox/stellar/ledger-entries';
import { type StellarNetwork, sandboxUsdc } from '@quittance/sandbox/stellar/stellar-network';
import { Asset, Keypair, Memo, Operation } from '@stellar/stellar-sdk';
import { addMs } from '../src/lib/clock.ts';
import { type Gateway, type GatewayOptions, startGateway } from './gateway.ts';

export const issuerKey: Keypair = Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(9));
const makerKey: Keypair = Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(10));

export const maker: string = makerKey.publicKey();

export const issuer: string = issuerKey.publicKey();
export const usdc = new Asset(sandboxUsdc.code, sandboxUsdc.issuer);
export const token = (code: string): Asset => new Asset(code, issuer);

export const bridgedCodes = ['BTC', 'BTCLN', 'LTC', 'ETH', 'USDT'] as const;

export type StellarMarket = {
  /** Somebody sells so much of one asset; each costs `price` of the other. Gives the number of the offer. */
  sell(selling: Asset, amount: string, buying: Asset, price: { n: number; d: number }): Promise<void>;
  /** Sells all that the other traders got of this. */
  sellAll(selling: Asset, buying: Asset, price: { n: number; d: number }): Promise<void>;
  /** One of the traders pays with what it has. */
  pay(asset: Asset, amount: string, to: { readonly address: string; readonly memo: string | null }): void;
  /** What the traders have of this. */
  held(asset: Asset): bigint;
  /** Nobody sells anything any more. */
  close(): void;
  /** Runs the gateway and closes ledgers until nothing moves any more. */
  settle(): Promise<void>;
  /** Likewise, until nothing is on its way any more. */
  finish(): Promise<void>;
};

export async function startGatewayWithMarket(
  options: GatewayOptions = {},
): Promise<{ gateway: Gateway; market: StellarMarket }> {
  const { env, ...others } = options;
  const gateway = await startGateway({
    ...others,
    hasStellar: true,
    env: { ISSUER_ACCOUNT: issuer, ISSUER_SECRET: issuerKey.secret(), ...env },
  });
  const { stellar } = gateway;
  stellar.openAccount(issuerKey, '10');
  stellar.openAccount(makerKey, '100000', nameOf(usdc), ...bridgedCodes.map((code) => nameOf(token(code))));
  stellar.pay(null, { address: makerKey.publicKey(), units: 1_000_000_0000000n, asset: nameOf(usdc) });
  stellar.pay(null, { address: String(gateway.env['STELLAR_ACCOUNT']), units: 1_000_0000000n });
  stellar.close();
  const market = marketOn(gateway, stellar);
  await market.settle();
  return { gateway, market };
}

const nameOf = (asset: Asset): string => `${asset.getCode()}:${asset.getIssuer()}`;

function marketOn(gateway: Gateway, stellar: StellarNetwork): StellarMarket {
  async function sell(selling: Asset, amount: string, buying: Asset, price: { n: number; d: number }): Promise<void> {
    stellar.send(makerKey, [Operation.manageSellOffer({ selling, buying, amount, price })]);
    stellar.close();
  }
  const held = (asset: Asset): bigint =>
    stellar.ledger.entries.trustlines.get(trustlineKey(makerKey.publicKey(), nameOf(asset)))?.balance ?? 0n;
  return {
    sell,
    async sellAll(selling, buying, price) {
      await sell(selling, formatStroops(held(selling)), buying, price);
    },
    pay(asset, amount, { address, memo }) {
      const named = memo === null ? Memo.none() : Memo.text(memo);
      stellar.send(makerKey, [Operation.payment({ destination: address, asset, amount })], { memo: named });
      stellar.close();
    },
    held,
    close() {
      const operations = [...stellar.ledger.entries.offers.values()].map((offer) =>
        Operation.manageSellOffer({
          selling: readAsset(offer.selling),
          buying: readAsset(offer.buying),
          amount: '0',
          price: '1',
          offerId: String(offer.id),
        }),
      );
      if (operations.length > 0) stellar.send(makerKey, operations);
      stellar.close();
    },
    async settle() {
      let isOver = false;
      for (let ledgers = 0; ledgers < 6; ledgers += 1) {
        if (!isOver) await gateway.runUntilIdle();
        isOver ||= !(await hasPlans(gateway));
        gateway.clock.advance({ seconds: 5 });
        stellar.close();
      }
      await gateway.runUntilIdle();
    },
    async finish() {
      for (let ledgers = 0; ledgers < 20; ledgers += 1) {
        await gateway.runUntilIdle();
        const [underway] = await gateway.db`select from outgoing_transfer where state in ('QUEUED', 'SIGNED') limit 1`;
        if (!underway) return;
        gateway.clock.advance({ seconds: 5 });
        stellar.close();
      }
      throw new Error('what was asked for is still on its way');
    },
  };
}

/** Whether anything is on its way, or to be done soon: if not, nothing happens while ledgers are closed. */
async function hasPlans({ db, clock }: Gateway): Promise<boolean> {
  const [plans] = await db`
    select from outgoing_transfer where state in ('QUEUED', 'SIGNED')
     union all
    select from job where parked_reason is null and run_at <= ${addMs(clock.now(), 30_000)}
     limit 1`;
  return plans !== undefined;
}

function readAsset(name: string): Asset {
  const [code = '', account] = name.split(':');
  return account === undefined ? Asset.native() : new Asset(code, account);
}
