<?php

declare(strict_types=1);

namespace Quittance;

/**
 * A webhook that was read: genuine with its event, or not to be believed. Nothing that arrives makes reading it throw,
 * and signatures are compared in constant time.
 *
 * With a webhook secret (`whsec_…`) the signature of Standard Webhooks is checked, which also says when a message was
 * sent, and nothing else is good enough. Without one, `X-Webhook-Auth` is checked with the API secret.
 */
final class Webhook
{
    private const PREFIX = 'whsec_';

    private function __construct(
        public readonly bool $isGenuine,
        /** Null when the webhook is not genuine. */
        public readonly ?WebhookEvent $event,
        /** The same when an event is delivered again. */
        public readonly ?string $id,
        /** Null when it is genuine. For a log: to whoever sent it, every problem is the same 401. */
        public readonly ?WebhookProblem $problem,
    ) {
    }

    /**
     * @param mixed $body the bytes as they came: `file_get_contents('php://input')`, not what was decoded from them
     * @param mixed $headers `getallheaders()`, `$_SERVER`, or `$request->getHeaders()` of PSR-7
     * @param mixed $webhookSecret a string or a list of them; begins with `whsec_`; both while one is exchanged for another
     * @param mixed $apiSecret a string or a list of them; of the API key, of several keys where several are used
     * @param int $toleranceSeconds how far the time of a message may be away from now
     * @param int|null $nowSeconds Unix time, for tests
     */
    public static function read(
        mixed $body,
        mixed $headers,
        #[\SensitiveParameter] mixed $webhookSecret = [],
        #[\SensitiveParameter] mixed $apiSecret = [],
        int $toleranceSeconds = 300,
        ?int $nowSeconds = null,
    ): self {
        if (!is_string($body)) {
            return self::refused(WebhookProblem::Unreadable);
        }
        $named = self::byName($headers);
        $keys = self::secrets(array_map(self::keyOf(...), self::secrets($webhookSecret)));
        $problem = $keys === []
            ? self::problemOfAuth($body, $named, self::secrets($apiSecret))
            : self::problemOfSignature($body, $named, $keys, $nowSeconds ?? time(), $toleranceSeconds);
        if ($problem !== null) {
            return self::refused($problem);
        }
        $told = json_decode($body);
        if (!is_object($told) || !is_string($told->eventType ?? null) || !is_object($told->data ?? null)) {
            return self::refused(WebhookProblem::Unreadable);
        }
        $data = json_decode($body, true, 512, JSON_BIGINT_AS_STRING)['data'];
        return new self(true, new WebhookEvent($told->eventType, $data), $named['webhook-id'] ?? null, null);
    }

    private static function refused(WebhookProblem $problem): self
    {
        return new self(false, null, null, $problem);
    }

    /**
     * @param array<string, string> $headers
     * @param list<string> $secrets
     */
    private static function problemOfAuth(string $body, array $headers, array $secrets): ?WebhookProblem
    {
        if ($secrets === []) {
            return WebhookProblem::NoSecret;
        }
        $given = $headers['x-webhook-auth'] ?? '';
        if ($given === '') {
            return WebhookProblem::Unsigned;
        }
        $fits = false;
        foreach ($secrets as $secret) {
            $fits = hash_equals(hash('sha256', $secret . $body), $given) || $fits;
        }
        return $fits ? null : WebhookProblem::WrongSignature;
    }

    /**
     * @param array<string, string> $headers
     * @param list<string> $keys
     */
    private static function problemOfSignature(
        string $body,
        array $headers,
        array $keys,
        int $now,
        int $toleranceSeconds,
    ): ?WebhookProblem {
        [$id, $timestamp, $given] = array_map(
            static fn (string $name): string => $headers[$name] ?? '',
            ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
        );
        if ($id === '' || $timestamp === '' || $given === '') {
            return WebhookProblem::Unsigned;
        }
        $fits = false;
        foreach ($keys as $key) {
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
            foreach (explode(' ', $given) as $one) {
                $fits = hash_equals($expected, $one) || $fits;
            }
        }
        if (!$fits || preg_match('/^\d{1,12}$/D', $timestamp) !== 1) {
            return WebhookProblem::WrongSignature;
        }
        return abs($now - (int) $timestamp) > $toleranceSeconds ? WebhookProblem::WrongTime : null;
    }

    private static function keyOf(string $secret): string
    {
        $encoded = str_starts_with($secret, self::PREFIX) ? substr($secret, strlen(self::PREFIX)) : $secret;
        return (string) base64_decode($encoded);
    }

    /**
     * Anybody could sign with an empty secret: that is none. Nor is a setting that is missing.
     *
     * @return list<string>
     */
    private static function secrets(mixed $given): array
    {
        return array_values(array_filter(is_array($given) ? $given : [$given], self::isNotEmpty(...)));
    }

    private static function isNotEmpty(mixed $one): bool
    {
        return is_string($one) && $one !== '';
    }

    /**
     * By their names in small letters. What came twice, or is no text, is as good as absent.
     *
     * @return array<string, string>
     */
    private static function byName(mixed $headers): array
    {
        $named = [];
        foreach (is_iterable($headers) ? $headers : [] as $name => $value) {
            $value = is_array($value) && count($value) === 1 ? reset($value) : $value;
            if (is_string($name) && is_string($value)) {
                // $_SERVER writes X-Webhook-Auth as HTTP_X_WEBHOOK_AUTH.
                $plain = strtr(strtolower($name), '_', '-');
                $named[str_starts_with($plain, 'http-') ? substr($plain, 5) : $plain] = $value;
            }
        }
        return $named;
    }
}
