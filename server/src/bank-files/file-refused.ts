/** Why a file of a bank is not accepted, beside what its reader finds (`DocumentRefused`). */
import { told } from '../lib/errors.ts';
import { DocumentRefused } from '../networks/port/documents.ts';

export const fileTooLarge = (bytes: number, most: number): DocumentRefused =>
  new DocumentRefused(
    told(
      'bank_file_over_limit',
      `The file has ${bytes} bytes, and at most ${most} are taken: ask the bank for a shorter period, or raise BANK_FILE_MB.`,
      { bytes: String(bytes), most: String(most) },
    ),
  );

export const nameTaken = (name: string): DocumentRefused =>
  new DocumentRefused(
    told(
      'bank_document_changed',
      `There is a document ${name} already, and this one differs from it: nothing of the file was taken. Ask the bank which of the two is right.`,
      { name },
    ),
  );

export const answersElsewhere = (file: string, network: string): DocumentRefused =>
  new DocumentRefused(
    told(
      'bank_answer_elsewhere',
      `It answers the payment file ${file}, which was made for ${network}: import it there.`,
      { file, network },
    ),
  );

export const notOnlyText = (): DocumentRefused =>
  new DocumentRefused(
    told('bank_file_damaged', 'There are characters in the file that no text has: get it from the bank again.'),
  );

export const nothingInFile = (): DocumentRefused =>
  new DocumentRefused(
    told(
      'bank_file_empty',
      'There is no statement, report or answer in the file: get it from the bank again, for days on which something was booked.',
    ),
  );
