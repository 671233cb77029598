/**
 * `npm start` makes what the environment does not give, but only once nothing is wrong with the rest. To be able to say
 * so before anything is made, what will be made is stood in for by values of the same form.
 */
import type { Environment } from '@quittance/server/config';
import { issuerKeypair } from '@quittance/server/lib/strkey';

const account = issuerKeypair(Buffer.alloc(32, 1));
const node = 'http://127.0.0.1';

/** By the setting that names a real node, everything that the sandbox says in its place: see sandbox-networks.ts. */
const networks: Readonly<Record<string, Environment>> = {
  BITCOIN_RPC_URL: { BITCOIN_RPC_URL: node, BITCOIN_XPUB: 'xpub', BITCOIN_XPRV: '', BITCOIN_CHAIN: 'regtest' },
  LITECOIN_RPC_URL: { LITECOIN_RPC_URL: node, LITECOIN_XPUB: 'xpub', LITECOIN_XPRV: '', LITECOIN_CHAIN: 'regtest' },
  ETHEREUM_RPC_URL: {
    ...{ ETHEREUM_RPC_URL: node, ETHEREUM_XPUB: 'xpub', ETHEREUM_XPRV: '', ETHEREUM_CHAIN_ID: '31337' },
    ...{ ETHEREUM_USDC_CONTRACT: 'none', ETHEREUM_USDT_CONTRACT: 'none' },
  },
  STELLAR_HORIZON_URL: {
    ...{ STELLAR_HORIZON_URL: node, STELLAR_ACCOUNT: account.accountId, STELLAR_NETWORK_PASSPHRASE: 'sandbox' },
    ...{ STELLAR_SECRET: account.secretSeed.reveal(), STELLAR_URI_SIGNING_SEED: '' },
  },
  LIGHTNING_REST_URL: {
    ...{ LIGHTNING_REST_URL: node, LIGHTNING_MACAROON: '00', LIGHTNING_CHAIN: 'regtest', LIGHTNING_SEND: 'on' },
  },
};

export function rehearse(env: Environment): Environment {
  const made = Object.entries(networks).filter(([namedBy]) => env[namedBy] === undefined);
  return {
    ...{ MASTER_KEY: '00'.repeat(32), ISSUER_ACCOUNT: account.accountId, DATABASE_URL: 'postgres://127.0.0.1' },
    ...env,
    ...(env['MODE'] === 'production' ? {} : Object.assign({}, ...made.map(([, settings]) => settings))),
  };
}
