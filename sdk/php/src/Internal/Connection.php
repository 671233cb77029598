<?php

declare(strict_types=1);

namespace Quittance\Internal;

use Closure;
use InvalidArgumentException;
use Quittance\Response;

/**
 * Requests that are signed with the clock of the service, and sent again where that is safe.
 *
 * @internal
 */
final class Connection
{
    private readonly ServerClock $clock;

    /** @var Closure(string, int, string, string): string knows the secret, which nothing can write down from there */
    private readonly Closure $sign;

    public function __construct(
        private readonly string $key,
        #[\SensitiveParameter] string $secret,
        private readonly Line $line,
        private readonly int $retries,
        private readonly float $retryDelay,
        private readonly ?string $logFile,
    ) {
        $this->clock = new ServerClock();
        $this->sign = static fn (string $path, int $timestamp, string $method, string $body): string =>
            Signature::digest($secret, $path, $timestamp, $method, $body);
    }

    /**
     * @param array<array-key, mixed> $params the query of a GET, otherwise the body
     * @param string|null $idempotencyKey for what changes something; one is made up when none is given
     * @param resource|null $file takes the body of a success
     */
    public function request(
        string $method,
        string $path,
        array $params = [],
        ?string $idempotencyKey = null,
        mixed $file = null,
    ): Response {
        $path = Parameters::asPath($path);
        if ($idempotencyKey !== null && preg_match('/^[\x21-\x7e]{1,255}$/D', $idempotencyKey) !== 1) {
            throw new InvalidArgumentException('An idempotency key is 1 to 255 printable characters without spaces.');
        }
        [$body, $headers] = [null, []];
        if ($method === 'GET') {
            $query = Parameters::asQuery($params);
            $path .= $query === '' ? '' : (str_contains($path, '?') ? '&' : '?') . $query;
        } else {
            // Written once: the service knows a repetition by its bytes.
            $body = Parameters::asJson($params);
            $headers = [
                'Content-Type' => 'application/json',
                'Idempotency-Key' => $idempotencyKey ?? bin2hex(random_bytes(16)),
            ];
        }
        return $this->untilAnswered(fn (): Response => $this->sendSigned($method, $path, $headers, $body, $file));
    }

    /** @param Closure(): Response $send */
    private function untilAnswered(Closure $send): Response
    {
        $isClockFresh = false;
        for ($sentAgain = 0;;) {
            $response = $send();
            if (Retry::isAboutTheClock($response) && !$isClockFresh) {
                $this->clock->forget();
                $isClockFresh = true;
                continue;
            }
            $wait = $sentAgain < $this->retries ? Retry::after($response, $sentAgain, $this->retryDelay) : null;
            if ($wait === null) {
                return $response;
            }
            usleep((int) round($wait * 1_000_000));
            $sentAgain += 1;
        }
    }

    /**
     * Every attempt is signed anew: a signature is good for half a minute.
     *
     * @param array<string, string> $headers
     * @param resource|null $file
     */
    private function sendSigned(string $method, string $path, array $headers, ?string $body, mixed $file): Response
    {
        if (!$this->clock->isKnown()) {
            $askedAt = ServerClock::steady();
            $told = $this->line->send('GET', '/time', [], null);
            if ($told->httpStatusCode === 0) {
                $this->log('GET', '/time', $told);
                return $told; // Nobody is there: whoever asks for more waits twice as long for nothing.
            }
            $time = $told->data()['time'] ?? null;
            if (is_int($time)) {
                $this->clock->learn($time, $askedAt);
            }
        }
        $timestamp = $this->clock->now();
        $response = $this->line->send($method, $path, $headers + [
            'X-Digest-Key' => $this->key,
            'X-Digest-Timestamp' => (string) $timestamp,
            'X-Digest-Signature' => ($this->sign)($path, $timestamp, $method, $body ?? ''),
        ], $body, $file);
        $this->log($method, $path, $response);
        return $response;
    }

    /** @return array<string, string> without the secret, which must not end up in a log */
    public function __debugInfo(): array
    {
        return ['key' => $this->key];
    }

    /** Neither secrets nor what is in requests: a log is read by many. */
    private function log(string $method, string $path, Response $response): void
    {
        if ($this->logFile === null) {
            return;
        }
        $status = $response->httpStatusCode === 0 ? "no answer: {$response->curlError}" : $response->httpStatusCode;
        $line = trim(date('c') . " $method " . strtok($path, '?') . " $status " . implode(' ', $response->errors()));
        // A log that cannot be written must not keep anybody from paying.
        @file_put_contents($this->logFile, preg_replace('/\s+/', ' ', $line) . PHP_EOL, FILE_APPEND | LOCK_EX);
    }
}
