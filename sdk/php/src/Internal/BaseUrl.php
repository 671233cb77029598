<?php

declare(strict_types=1);

namespace Quittance\Internal;

use InvalidArgumentException;

/**
 * Where the service is.
 *
 * @internal
 */
final class BaseUrl
{
    /** Without a slash at its end. */
    public static function read(string $text, bool $isPlainAllowed): string
    {
        $parts = parse_url($text) ?: [];
        $scheme = strtolower($parts['scheme'] ?? '');
        $host = strtolower($parts['host'] ?? '');
        if (!in_array($scheme, ['https', 'http'], true) || $host === '') {
            throw new InvalidArgumentException("The base URL must begin with https://, but is \"$text\".");
        }
        if (array_intersect_key($parts, ['user' => 0, 'pass' => 0, 'query' => 0, 'fragment' => 0]) !== []) {
            throw new InvalidArgumentException('The base URL ends with its path, such as https://pay.example/api/v1.');
        }
        if ($scheme === 'http' && !$isPlainAllowed && !self::isThisMachine($host)) {
            throw new InvalidArgumentException(
                "The base URL $text is not encrypted: use https://, or allowPlainHttp where nobody else can listen.",
            );
        }
        $port = isset($parts['port']) ? ":{$parts['port']}" : '';
        $path = rtrim($parts['path'] ?? '', '/');
        return "$scheme://$host$port" . ($path === '' ? '/api/v1' : $path);
    }

    /** Whether what `read` gave is on this machine. */
    public static function isHere(string $url): bool
    {
        return self::isThisMachine((string) parse_url($url, PHP_URL_HOST));
    }

    private static function isThisMachine(string $host): bool
    {
        return $host === 'localhost'
            || str_ends_with($host, '.localhost')
            || $host === '[::1]'
            || preg_match('/^127(\.\d{1,3}){3}$/D', $host) === 1;
    }
}
