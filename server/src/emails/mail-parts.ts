/**
 * The parts of a mail to a payer. Mail programs are not browsers: Outlook lays out nothing but tables, many drop style
 * sheets, so every style is written where it is used. The classes only matter in the dark, where `darkRules` repaints
 * them.
 */
import { type Html, type HtmlValue, html } from '../web/html.ts';
import type { MailColours } from './mail-colours.ts';

export type MailStyle = {
  readonly colours: MailColours;
  /** The fonts, as CSS names them. */
  readonly font: string;
  /** Where a line begins and ends: nothing in a mail program knows the words start and end. */
  readonly start: 'left' | 'right';
  readonly end: 'left' | 'right';
};

export const darkRules = (to: MailColours): string => {
  const rules: readonly [name: string, ...declarations: string[]][] = [
    ['paper', `background:${to.paper}`],
    ['sheet', `background:${to.sheet}`],
    ['ink', `color:${to.ink}`],
    ['quiet', `color:${to.quiet}`],
    ['link', `color:${to.link}`],
    ['line', `border-color:${to.line}`],
    ['band', `background:${to.band}`, `border-color:${to.line}`],
    ['on-band', `color:${to.onBand}`, `border-color:${to.onBand}`],
    ['button', `background:${to.button}`, `border-color:${to.buttonEdge}`],
    ['paid', `color:${to.paid}`, `border-color:${to.paid}`],
    ['notice', `background:${to.notice}`, `color:${to.onNotice}`],
  ];
  const rule = ([name, ...declarations]: (typeof rules)[number]): string =>
    `.${name}{${declarations.map((each) => `${each}!important`).join(';')}}`;
  return `@media (prefers-color-scheme:dark){${rules.map(rule).join('')}}`;
};

const sizes = { small: 'font-size:13px;line-height:1.5', normal: 'font-size:16px;line-height:1.5' } as const;

const textStyle = ({ font }: MailStyle, size: keyof typeof sizes, colour: string): string =>
  `margin:0;font-family:${font};${sizes[size]};color:${colour}`;

/** `above`: the room between it and what comes before. */
export const paragraph = (style: MailStyle, text: HtmlValue, above = 12): Html =>
  html`<p class="ink" style="${textStyle(style, 'normal', style.colours.ink)};padding-top:${above}px">${text}</p>`;

export const smallPrint = (style: MailStyle, text: HtmlValue, above = 12): Html =>
  html`<p class="quiet" style="${textStyle(style, 'small', style.colours.quiet)};padding-top:${above}px;overflow-wrap:anywhere">${text}</p>`;

export const heading = ({ font, colours }: MailStyle, text: string): Html =>
  html`<h1 class="ink" style="margin:0;font-family:${font};font-size:22px;line-height:1.3;font-weight:600;color:${colours.ink}">${text}</h1>`;

/** The amount is the largest thing in it. */
export const hero = ({ font, colours }: MailStyle, amount: string): Html =>
  html`<div class="ink" style="padding-top:12px;font-family:${font};font-size:34px;line-height:1.15;font-weight:600;letter-spacing:-0.02em;color:${colours.ink};overflow-wrap:anywhere">${amount}</div>`;

export const notice = ({ font, colours }: MailStyle, text: HtmlValue): Html =>
  html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="notice" bgcolor="${colours.notice}" style="padding:10px 14px;border-radius:8px;background:${colours.notice};font-family:${font};font-size:14px;line-height:1.45;color:${colours.onNotice}">${text}</td></tr></table>`;

export const link = ({ colours }: MailStyle, url: string, text: HtmlValue = html`<bdi dir="ltr">${url}</bdi>`): Html =>
  html`<a class="link" href="${url}" style="color:${colours.link};overflow-wrap:anywhere">${text}</a>`;

/** What people read out or copy: one line if it fits one, and in its own order in every language. */
export const code = (text: string): Html =>
  html`<bdi dir="ltr"${text.length <= 24 && html` style="white-space:nowrap"`}>${text}</bdi>`;

/** Outlook gives a link no room of its own, and takes that of the cell instead. */
export const button = ({ font, colours }: MailStyle, { text, url }: { text: string; url: string }): Html =>
  html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td style="padding-top:24px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:separate"><tr><td class="button" align="center" bgcolor="${colours.button}" style="border:1px solid ${colours.buttonEdge};border-radius:8px;background:${colours.button};mso-padding-alt:14px 20px"><a href="${url}" style="display:block;padding:14px 20px;font-family:${font};font-size:16px;line-height:1.3;font-weight:600;text-decoration:none;color:${colours.onButton}">${text}</a></td></tr></table>
</td></tr></table>`;

export type SlipRow = {
  readonly name: string;
  /** Quieter, behind the name. */
  readonly detail?: string | null;
  readonly value: string;
  /** Where the value leads. */
  readonly url?: string;
  /** Below the value. */
  readonly below?: string | null;
  readonly isSum?: boolean;
};

export type SlipPart = { readonly rows: readonly SlipRow[]; readonly notes?: readonly SlipNote[] };

/** What is too long to stand beside its name: the hash of a transaction. */
export type SlipNote = { readonly name: string; readonly text: string; readonly url: string | null };

/** The receipt as a slip of paper. */
export function slip(
  style: MailStyle,
  {
    title,
    under,
    stamp,
    parts,
  }: { title: HtmlValue; under: HtmlValue; stamp: string | null; parts: readonly SlipPart[] },
): Html {
  const { font, colours, start, end } = style;
  const written = `font-family:${font};color:${colours.ink}`;
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td style="padding-top:24px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="line" style="border:1px solid ${colours.line};border-radius:12px;border-collapse:separate"><tr><td style="padding:16px 18px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>
<td align="${start}" class="ink" style="${written};font-size:16px;line-height:1.4;font-weight:600">${title}${under && html`<br><span class="quiet" style="font-size:13px;font-weight:400;color:${colours.quiet};overflow-wrap:anywhere">${under}</span>`}</td>
${stamp !== null && html`<td align="${end}" valign="middle" style="padding:4px 6px"><span class="paid" style="display:inline-block;padding:2px 10px;border:2px solid ${colours.paid};border-radius:5px;font-family:${font};font-size:13px;line-height:1.4;font-weight:700;letter-spacing:${start === 'left' ? '0.08em' : '0'};text-transform:uppercase;white-space:nowrap;color:${colours.paid};transform:rotate(${start === 'left' ? -6 : 6}deg)">${stamp}</span></td>`}
</tr></table>
${parts.map((part) => slipPart(style, part))}
</td></tr></table>
</td></tr></table>`;
}

function slipPart(style: MailStyle, { rows, notes = [] }: SlipPart): Html | false {
  if (rows.length === 0 && notes.length === 0) return false;
  const { colours } = style;
  return html`<table width="100%" cellpadding="0" cellspacing="0" border="0" class="line" style="margin-top:12px;border-top:1px dashed ${colours.line}">
${rows.map((row, at) => slipRow(style, row, at === 0 ? 12 : 4))}
${notes.map((note) => slipNote(style, note))}</table>`;
}

function slipRow(style: MailStyle, row: SlipRow, above: number): Html {
  const { font, colours, start, end } = style;
  const { name, detail = null, value, url, below = null, isSum = false } = row;
  const size = isSum ? 'font-size:17px;font-weight:600' : 'font-size:14px;font-weight:400';
  // As on the page: each text has the direction of its own first word, also where everything else begins on the right.
  const order = start === 'right' ? ';unicode-bidi:plaintext' : '';
  const cell = `padding:${above}px 0 4px;font-family:${font};${size};line-height:1.45;vertical-align:top${order}`;
  const quietly = (text: string): Html =>
    html`<span class="quiet" style="font-size:13px;color:${colours.quiet}">${text}</span>`;
  const colour = isSum ? colours.ink : colours.quiet;
  return html`<tr><th scope="row" align="${start}" class="${isSum ? 'ink' : 'quiet'}" style="${cell};text-align:${start};color:${colour};overflow-wrap:${breaks(name)}">${name}${detail !== null && html` (${detail})`}</th><td align="${end}" class="ink" style="${cell};padding-${start}:14px;text-align:${end};color:${colours.ink}">${url === undefined ? value : link(style, url, value)}${below !== null && html`<br>${quietly(below)}`}</td></tr>
`;
}

/** A name of ours is never broken within a word; what shops write may be longer than a phone is wide. */
const breaks = (name: string): string => (/\S{18}/u.test(name) ? 'anywhere' : 'break-word');

const slipNote = (style: MailStyle, { name, text, url }: SlipNote): Html =>
  html`<tr><td colspan="2" align="${style.start}" class="quiet" style="padding:4px 0;font-family:${style.font};font-size:13px;line-height:1.45;text-align:${style.start};color:${style.colours.quiet}">${name}<br><span dir="ltr" style="font-family:${mono};font-size:12px;word-break:break-all">${url === null ? text : link(style, url, text)}</span></td></tr>
`;

const mono = "Menlo,Consolas,'Liberation Mono',monospace";
