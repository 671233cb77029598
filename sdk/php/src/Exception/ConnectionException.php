<?php

declare(strict_types=1);

namespace Quittance\Exception;

use Quittance\Response;
use RuntimeException;

/**
 * Nothing came back, so nobody knows whether the request was carried out. Sent again with the same idempotency key, it
 * is carried out once.
 */
class ConnectionException extends RuntimeException implements QuittanceException
{
    final public function __construct(public readonly Response $response)
    {
        parent::__construct("The service could not be reached: $response->curlError", $response->curlErrNo);
    }

    public static function of(Response $response): self
    {
        return $response->curlErrNo === CURLE_OPERATION_TIMEDOUT
            ? new TimeoutException($response)
            : new self($response);
    }
}
