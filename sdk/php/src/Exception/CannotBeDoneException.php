<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** 422: understood, but it cannot be done. */
final class CannotBeDoneException extends ApiException
{
}
