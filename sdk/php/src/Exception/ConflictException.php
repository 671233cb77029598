<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** 409: not in this state, or the same request is still running. */
final class ConflictException extends ApiException
{
}
