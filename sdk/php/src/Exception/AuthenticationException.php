<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** 401: the key is unknown, or the signature does not fit. */
final class AuthenticationException extends ApiException
{
}
