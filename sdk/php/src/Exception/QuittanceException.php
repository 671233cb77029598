<?php

declare(strict_types=1);

namespace Quittance\Exception;

use Throwable;

/** What keeps a request from succeeding: a refusal (`ApiException`), or that nothing came (`ConnectionException`). */
interface QuittanceException extends Throwable
{
}
