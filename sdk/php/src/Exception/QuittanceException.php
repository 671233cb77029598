<?php

declare(strict_types=1);

namespace Quittance\Exception;

use Throwable;

/**
 * What keeps a request from succeeding: a refusal (`ApiException`), that nothing came (`ConnectionException`), or a list
 * without an end (`EndlessListException`).
 */
interface QuittanceException extends Throwable
{
}
