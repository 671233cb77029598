<?php

declare(strict_types=1);

namespace Quittance\Internal;

use CurlHandle;
use Quittance\Response;

/**
 * The line to the service: one request out, one response in. Certificates are always checked and redirects are never
 * followed, because a signature is good for one place. The connection stays open between requests.
 *
 * @internal
 */
final class Line
{
    private ?CurlHandle $handle = null;

    public function __construct(
        private readonly string $baseUrl,
        private readonly string $userAgent,
        private readonly float $timeout,
        private readonly float $connectTimeout,
    ) {
    }

    /**
     * Whatever the network does is a response: one with the status 0 says that nothing came, and why.
     *
     * @param array<string, string> $headers
     * @param resource|null $file takes the body of a success, from its beginning
     */
    public function send(
        string $method,
        string $pathAndQuery,
        array $headers,
        ?string $body,
        mixed $file = null,
    ): Response {
        $this->handle ??= curl_init();
        curl_reset($this->handle);
        $head = '';
        curl_setopt_array($this->handle, [
            CURLOPT_URL => $this->baseUrl . $pathAndQuery,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => self::headerLines($headers),
            CURLOPT_USERAGENT => $this->userAgent,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_SSL_VERIFYPEER => true,
            CURLOPT_SSL_VERIFYHOST => 2,
            CURLOPT_CONNECTTIMEOUT_MS => (int) ceil($this->connectTimeout * 1000),
            CURLOPT_TIMEOUT_MS => (int) ceil($this->timeout * 1000),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => static function (CurlHandle $handle, string $line) use (&$head): int {
                // A new status line begins a new head: what a proxy said before is not of the service.
                $head = str_starts_with($line, 'HTTP/') ? $line : $head . $line;
                return strlen($line);
            },
        ]);
        if (BaseUrl::isHere($this->baseUrl)) {
            // A proxy of the environment would carry what is meant for this machine to another one, unencrypted.
            curl_setopt($this->handle, CURLOPT_NOPROXY, '*');
        }
        if ($body !== null) {
            curl_setopt($this->handle, CURLOPT_POSTFIELDS, $body);
        }
        $received = '';
        if ($file !== null) {
            ftruncate($file, 0);
            rewind($file);
            // A long file may take its time, but not stand still.
            curl_setopt_array($this->handle, [
                CURLOPT_TIMEOUT_MS => 0,
                CURLOPT_LOW_SPEED_LIMIT => 1,
                CURLOPT_LOW_SPEED_TIME => (int) ceil($this->timeout),
            ]);
        }
        curl_setopt(
            $this->handle,
            CURLOPT_WRITEFUNCTION,
            static function (CurlHandle $handle, string $part) use (&$received, $file): int {
                if ($file !== null && curl_getinfo($handle, CURLINFO_RESPONSE_CODE) === 200) {
                    return (int) fwrite($file, $part);
                }
                $received .= $part;
                return strlen($part);
            },
        );
        curl_exec($this->handle);
        $failure = curl_errno($this->handle);
        $info = curl_getinfo($this->handle);
        if ($failure !== 0) {
            // Half an answer is none: what was cut off must not be mistaken for a refusal or a success.
            $reason = curl_error($this->handle) ?: (string) curl_strerror($failure);
            return new Response(null, null, 0, $reason, $failure, $info);
        }
        return new Response($received, rtrim($head), (int) $info['http_code'], '', 0, $info);
    }

    /**
     * @param array<string, string> $headers
     * @return list<string>
     */
    private static function headerLines(array $headers): array
    {
        $lines = ['Accept: application/json', 'Expect:'];
        foreach ($headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        return $lines;
    }
}
