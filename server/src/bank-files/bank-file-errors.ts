/** Who brings a file is told what to do instead. What is wrong with the file itself is `DocumentRefused`. */
import { GatewayError } from '../lib/errors.ts';

/** `network` empty: it was not said, and there are several. */
export const noSuchBank = (network: string, known: readonly string[]): GatewayError =>
  new GatewayError({
    code: 'no_such_bank',
    httpStatus: network === '' && known.length > 1 ? 400 : 404,
    message:
      network === '' && known.length > 1
        ? `There are several banks: say whose file it is (--network), ${known.join(' or ')}.`
        : known.length > 0
          ? `Files are taken for ${known.join(', ')}, and not for ${JSON.stringify(network)}.`
          : 'No network is configured that is told in files.',
  });

export const bytesNotKept = (): GatewayError =>
  new GatewayError({
    code: 'bytes_not_kept',
    httpStatus: 410,
    message:
      'The file as it came is not kept any more, by BANK_FILE_DAYS: get it from the bank again. All that was in it is here.',
  });
