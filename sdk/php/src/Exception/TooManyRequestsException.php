<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** 429: too many requests; `$retryAfterSeconds` says when to go on. */
final class TooManyRequestsException extends ApiException
{
}
