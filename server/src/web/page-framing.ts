/**
 * Who may show a page in a frame. Nobody by default: every page is made with `frame-ancestors 'none'`, and exceptions
 * are made here. X-Frame-Options is for browsers that do not know the policy, and says the same where it can.
 */
import type { PageReply } from '../http/route.ts';

const nobody = "frame-ancestors 'none'";

/** The reply with these framers: `self`, origins, or none. A reply that is no page stays as it is. */
export function framedBy(reply: PageReply, framers: readonly string[]): PageReply {
  const { headers = {} } = reply;
  const policy = headers['content-security-policy'];
  if (framers.length === 0 || !policy?.includes(nobody)) return reply;
  const sources = framers.map((framer) => (framer === 'self' ? "'self'" : framer)).join(' ');
  return {
    ...reply,
    headers: {
      ...headers,
      'content-security-policy': policy.replace(nobody, `frame-ancestors ${sources}`),
      // This header cannot name several framers. Empty: it is left out.
      'x-frame-options': sources === "'self'" ? 'SAMEORIGIN' : '',
    },
  };
}
