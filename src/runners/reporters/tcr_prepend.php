<?php // auto_prepend_file: adds --log-junit when the script being run is PHPUnit or Pest.
(function () {
    $out = getenv('GIT_TCR_OUT');
    if (!$out || PHP_SAPI !== 'cli' || empty($_SERVER['argv'])) {
        return;
    }
    $words = $_SERVER['argv'];
    $runners = ['phpunit', 'phpunit.phar', 'simple-phpunit', 'pest'];
    if (!in_array(basename($words[0]), $runners, true)) {
        return;
    }
    foreach ($words as $word) {
        if ($word === '--log-junit' || strpos($word, '--log-junit=') === 0) {
            return;
        }
    }
    // What the tests start themselves is not the run.
    putenv('GIT_TCR_OUT');
    unset($_ENV['GIT_TCR_OUT'], $_SERVER['GIT_TCR_OUT']);
    $aim = getenv('GIT_TCR_AIM');
    putenv('GIT_TCR_AIM');
    unset($_ENV['GIT_TCR_AIM'], $_SERVER['GIT_TCR_AIM']);
    if ($aim) {
        // Only the wanted tests; PHPUnit names them `Class::method with data set …`.
        $patterns = [];
        foreach (json_decode(file_get_contents($aim), true)['tests'] as $test) {
            $known = explode(' > ', $test['id'], 2);
            if (count($known) === 2) {
                $patterns[] = preg_quote($known[0], '/') . '::' . preg_quote($known[1], '/') . '(?: with data set.*)?$';
            } elseif ($test['name'] !== '') {
                $patterns[] = '::' . preg_quote($test['name'], '/') . '(?: with data set.*)?$';
            } else {
                $patterns[] = '\\b' . preg_quote(pathinfo((string) $test['file'], PATHINFO_FILENAME), '/') . '::';
            }
        }
        array_splice($words, 1, 0, ['--filter', '/(?:' . implode('|', $patterns) . ')/']);
    }
    array_splice($words, 1, 0, ['--log-junit', $out . '/phpunit-' . getmypid() . '.xml']);
    $_SERVER['argv'] = $GLOBALS['argv'] = $words;
    $_SERVER['argc'] = $GLOBALS['argc'] = count($words);
})();
