<?php

declare(strict_types=1);

namespace Quittance\Internal;

use Quittance\Response;

/**
 * When a request is sent again, and after how long. Reading may be repeated; everything else carries an
 * `Idempotency-Key`, with which the service does it once however often it is asked.
 *
 * @internal
 */
final class Retry
{
    /** However often it is tried, without being asked to wait. */
    private const PAUSE_SECONDS_MAX = 8.0;

    /** Longer than this nobody waits: then the exception says when to come back. */
    private const SECONDS_MAX = 30.0;

    /** Nothing that time would mend: a wrong address, a certificate that is not trusted. */
    private const HOPELESS = [
        CURLE_UNSUPPORTED_PROTOCOL,
        CURLE_URL_MALFORMAT,
        51, // A certificate that is not trusted, in older versions of curl; the next one in newer versions.
        CURLE_SSL_CACERT,
        CURLE_SSL_CACERT_BADFILE,
    ];

    /** In seconds; null: it is not sent again. `$before`: how often it was sent again already. */
    public static function after(Response $response, int $before, float $firstDelay): ?float
    {
        // Spread, so that those who failed together do not come back together.
        $pause = min($firstDelay * 2 ** $before, self::PAUSE_SECONDS_MAX) * random_int(500, 1000) / 1000;
        $wait = max($pause, (float) (self::seconds($response) ?? 0));
        return self::mayHelp($response) && $wait <= self::SECONDS_MAX ? $wait : null;
    }

    /** Only the moment is wrong, and not the request: the service says when that is so. */
    public static function mayHelp(Response $response): bool
    {
        $status = $response->httpStatusCode;
        return match (true) {
            $status === 0 => !in_array($response->curlErrNo, self::HOPELESS, true),
            $status === 200 => false,
            default => $status === 429 || $status >= 500 || $response->header('Retry-After') !== null,
        };
    }

    /**
     * What `Retry-After` says. A date, as proxies write it, counts from the date of the same answer: our own clock may be
     * wrong.
     */
    public static function seconds(Response $response): ?int
    {
        $said = $response->header('Retry-After') ?? '';
        if (preg_match('/^\d{1,15}$/D', $said) === 1) {
            return (int) $said;
        }
        [$from, $to] = [self::secondsOfDate($response->header('Date') ?? ''), self::secondsOfDate($said)];
        return $from === null || $to === null ? null : max(0, $to - $from);
    }

    /** Of a date as HTTP writes it: `Wed, 18 Nov 2026 00:00:00 GMT`. */
    private static function secondsOfDate(string $text): ?int
    {
        $date = \DateTimeImmutable::createFromFormat('!D, d M Y H:i:s \G\M\T', $text, new \DateTimeZone('UTC'));
        return $date === false ? null : $date->getTimestamp();
    }

    /** The clock that a signature was made with is wrong. */
    public static function isAboutTheClock(Response $response): bool
    {
        return $response->httpStatusCode === 401
            && str_contains(implode(' ', $response->errors()), 'GET /time');
    }
}
