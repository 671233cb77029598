<?php

declare(strict_types=1);

namespace Quittance\Exception;

use Quittance\Internal\Retry;
use Quittance\Response;
use RuntimeException;

/** The service answered, but not with a success. Its kind is the class, its reasons are `$sentences`. */
class ApiException extends RuntimeException implements QuittanceException
{
    public readonly int $status;

    /** @var non-empty-list<string> every reason, one sentence each; the first can be shown to people */
    public readonly array $sentences;

    /** After how many seconds it may be asked again, where the service says so. */
    public readonly ?int $retryAfterSeconds;

    /** The same request may be sent again: a GET as it is, anything else with the same idempotency key. */
    public readonly bool $canRetry;

    final public function __construct(public readonly Response $response)
    {
        $this->status = $response->httpStatusCode;
        $this->sentences = $response->errors() ?: [
            $response->isOk()
                ? "The server answered $this->status with something that is not JSON."
                : "The server answered $this->status without a reason.",
        ];
        $this->retryAfterSeconds = Retry::seconds($response);
        $this->canRetry = Retry::mayHelp($response);
        parent::__construct(implode(' ', $this->sentences), $this->status);
    }

    public static function of(Response $response): self
    {
        $status = $response->httpStatusCode;
        return match (true) {
            $status === 400 => new InvalidRequestException($response),
            $status === 401 => new AuthenticationException($response),
            $status === 403 => new NotAllowedException($response),
            $status === 404 => new NotFoundException($response),
            $status === 409 => new ConflictException($response),
            $status === 422 => new CannotBeDoneException($response),
            $status === 429 => new TooManyRequestsException($response),
            in_array($status, [502, 503, 504], true) => new UnavailableException($response),
            $status >= 500 => new ServerException($response),
            default => new self($response),
        };
    }
}
