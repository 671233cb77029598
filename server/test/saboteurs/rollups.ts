/** What a rollup takes besides gas, and whose its addresses are. */
import type { Saboteur } from './saboteur.ts';

const fees = 'server/test/networks/rollup-fees.test.ts';
const base = 'server/src/networks/base/base.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'networks/families/evm/follow-evm-outgoing.ts',
    fault: 'what the chain below took is not booked',
    find: 'const fee = gasFee + surcharge.paid(receipt);',
    replace: 'const fee = gasFee;',
    noticedBy: fees,
  },
  {
    file: 'networks/families/evm/evm-sender.ts',
    fault: 'a payout is quoted without the fee of the chain below',
    find: 'gas * quotedPerGas + surchargeOf(kindOf(payout.assetCode), gas).quoted',
    replace: 'gas * quotedPerGas',
    noticedBy: fees,
  },
  {
    file: 'networks/families/evm/evm-sender.ts',
    fault: 'a payout is signed although its surcharge is above what was set aside',
    find: 'gas * price.leastPerGas + surchargeFor(gas).least',
    replace: 'gas * price.leastPerGas',
    noticedBy: fees,
  },
  {
    file: 'networks/families/evm/collect-from-targets.ts',
    fault: 'ether is collected without leaving anything for the surcharge',
    find: 'state.freeWei - plainTransferGas * price.maxFeePerGas - surchargeMax)',
    replace: 'state.freeWei - plainTransferGas * price.maxFeePerGas)',
    noticedBy: fees,
  },
  {
    file: 'networks/families/evm/collect-from-targets.ts',
    fault: 'an address is topped up for its gas alone',
    find: 'gas * price.maxFeePerGas + surcharge.max - state.freeWei',
    replace: 'gas * price.maxFeePerGas - state.freeWei',
    noticedBy: fees,
  },
  {
    file: 'networks/families/evm/evm-gas.ts',
    fault: 'the ceiling does not count the surcharge',
    find: " + surchargeOf('coin', plainTransferGas).expected / plainTransferGas > ceiling",
    replace: ' > ceiling',
    noticedBy: fees,
  },
  {
    file: 'networks/families/evm/op-stack-surcharge.ts',
    fault: 'the operator fee is not booked',
    find: ' + operatorFeeIn(receipt)',
    replace: '',
    noticedBy: fees,
  },
  {
    file: 'networks/registry.ts',
    fault: 'two networks give out the same addresses',
    find: 'if (source && other !== undefined)',
    replace: 'if (source && other === source.setting)',
    noticedBy: base,
  },
  {
    file: 'networks/families/evm/evm-settings.ts',
    fault: 'an account is another one when it is written in another way',
    find: 'key: checks().accountName(xpub)',
    replace: 'key: xpub',
    noticedBy: base,
  },
  {
    file: 'networks/families/evm/evm-sender.ts',
    fault: 'a token that is being collected is stuck for as long as fees stay higher',
    find: "if (trace.kind === 'collect' && !isEther)",
    replace: "if (trace.kind === 'topUp' && !isEther)",
    noticedBy: fees,
    test: 'gets more ether, once',
  },
  {
    file: 'networks/families/evm/evm-fate.ts',
    fault: 'a deposit without a number takes the place of another one of its sender',
    find: 'transactions.filter(({ nonce }) => nonce !== undefined)',
    replace: "transactions.filter(({ hash }) => hash !== '')",
    noticedBy: 'server/src/networks/families/evm/read-evm-block.test.ts',
  },
];
