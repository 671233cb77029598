<?php

declare(strict_types=1);

namespace Quittance;

/**
 * What `get`, `post`, `put` and `delete` give: whatever came, also a refusal, and also that nothing came. The names are
 * those that programs written for earlier clients of this interface read.
 */
final class Response
{
    /**
     * @param string|null $responseBody the body as it came, usually JSON; null when nothing came
     * @param string|null $responseHeaders the header lines as they came
     * @param int $httpStatusCode 200 is success; 0 means that nothing came, and `$curlError` says why
     * @param string $curlError empty when there is none
     * @param array<string, mixed> $curlInfo what `curl_getinfo()` says
     */
    public function __construct(
        public readonly ?string $responseBody,
        public readonly ?string $responseHeaders,
        public readonly int $httpStatusCode,
        public readonly string $curlError = '',
        public readonly int $curlErrNo = 0,
        public readonly array $curlInfo = [],
    ) {
    }

    public function isOk(): bool
    {
        return $this->httpStatusCode === 200;
    }

    /**
     * The body when it is a JSON object, otherwise null. Never throws.
     *
     * @return array<string, mixed>|null
     */
    public function data(): ?array
    {
        $data = json_decode($this->responseBody ?? '', true, 512, JSON_BIGINT_AS_STRING);
        return is_array($data) && !($data !== [] && array_is_list($data)) ? $data : null;
    }

    /**
     * Why it was refused, all sentences; empty after a success.
     *
     * @return list<string>
     */
    public function errors(): array
    {
        $errors = $this->isOk() ? [] : ($this->data()['errors'] ?? []);
        return is_array($errors) ? array_values(array_filter($errors, is_string(...))) : [];
    }

    /** The value of a header, whatever the case of its name. */
    public function header(string $name): ?string
    {
        foreach (explode("\r\n", $this->responseHeaders ?? '') as $line) {
            [$own, $value] = explode(':', $line, 2) + ['', ''];
            if (strcasecmp(trim($own), $name) === 0) {
                return trim($value);
            }
        }
        return null;
    }
}
