<?php

declare(strict_types=1);

// As Composer would load them, for those who run the tests without it.
error_reporting(E_ALL);
spl_autoload_register(static function (string $class): void {
    foreach (['Quittance\\Tests\\' => __DIR__, 'Quittance\\' => dirname(__DIR__) . '/src'] as $prefix => $folder) {
        $file = "$folder/" . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
        if (str_starts_with($class, $prefix) && is_file($file)) {
            require $file;
            return;
        }
    }
});
