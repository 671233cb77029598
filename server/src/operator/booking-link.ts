import type { ToldBooking } from '../bank-files/document-list-store.ts';
import type { Html } from '../web/html.ts';
import type { OperatorLook } from './operator-look.ts';
import { linkTo } from './operator-parts.ts';

/** To the booking in the document that tells of it, on the page of that where it stands first. */
export const bookingLink = (look: OperatorLook, { network, position, number, name }: ToldBooking): Html =>
  linkTo(look, `/operator/bank/${network}/${position}?after=${number - 1}#b-${number}`, `${name}, booking ${number}`);
