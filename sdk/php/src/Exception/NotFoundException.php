<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** 404: there is no such record, or no such endpoint. */
final class NotFoundException extends ApiException
{
}
