<?php

declare(strict_types=1);

namespace Quittance\Internal;

/**
 * Digest authentication: what proves that a request comes from who has the secret.
 *
 * @internal
 */
final class Signature
{
    /** Over the path without its query, and the bytes of the body as they are sent. */
    public static function digest(
        #[\SensitiveParameter] string $secret,
        string $path,
        int $timestamp,
        string $method,
        string $body,
    ): string {
        $endpoint = explode('?', $path, 2)[0];
        return hash_hmac('sha256', $endpoint . $timestamp . strtoupper($method) . $body, $secret);
    }
}
