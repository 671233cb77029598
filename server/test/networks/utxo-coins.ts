/** The coins like Bitcoin that stories play with, as the sandbox takes them. */
import { utxoCoin } from '@quittance/sandbox/utxo-coin';
import { bitcoin, bitcoinChain } from '@quittance/server/networks/bitcoin/bitcoin';
import { litecoin, litecoinChain } from '@quittance/server/networks/litecoin/litecoin';
import { dogecoin, dogecoinChain, dogecoinOnLitecoindChain } from './dogecoin.ts';

export const bitcoinCoin = utxoCoin(bitcoin, bitcoinChain);
export const litecoinCoin = utxoCoin(litecoin, litecoinChain);
export const dogecoinCoin = utxoCoin(dogecoin, dogecoinChain);
export const dogecoinOnLitecoind = utxoCoin(dogecoin, dogecoinOnLitecoindChain);
