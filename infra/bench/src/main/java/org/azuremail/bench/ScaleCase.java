package org.azuremail.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Case 9: the real schedulers and senders on a simulated account, in virtual time; the test that does it prints its curve. */
final class ScaleCase implements BenchCase {

    private static final Path TEST = Path.of("worker-sender/src/test/java/org/azuremail/sender/MillionMailsIT.java");
    private static final String CURVE = "e24_moreSendersAreNeverSlower";
    private static final String MILLION = "e24_aMillionMailsTakeLessThanFiveMinutesWithSixteenSenders";
    private static final int FULL_CURVE = 100_000;
    private static final int MINUTES = 9;

    @Override
    public int number() {
        return 9;
    }

    @Override
    public String title() {
        return "simulated Azure account";
    }

    @Override
    public void run(Lab lab, Entry entry) throws Exception {
        Path root = lab.options().root();
        if (!Files.exists(root.resolve(TEST))) {
            entry.add(9, "simulated Azure account", "not in this checkout", "");
            return;
        }
        boolean whole = lab.options().scale() >= 1;
        List<String> curve = simulate(
                lab, root, whole ? CURVE + "+" + MILLION : CURVE, lab.options().scaled(FULL_CURVE));
        for (String line : curve) {
            String[] halves = line.split(": ", 3);
            entry.add(9, "virtual time, " + halves[1], halves[2], line.contains("16 senders") ? "< 5 min" : "");
        }
    }

    private static List<String> simulate(Lab lab, Path root, String methods, int mails)
            throws IOException, InterruptedException {
        Path log = lab.directory("logs").resolve("scale.log");
        Process maven = new ProcessBuilder(
                        "mvn",
                        "-B",
                        "-ntp",
                        "-pl",
                        "worker-sender",
                        "-am",
                        "-Dit.test=MillionMailsIT#" + methods,
                        "-Dfailsafe.failIfNoSpecifiedTests=false",
                        "-Dazuremail.test.mails=" + mails,
                        "test-compile",
                        "failsafe:integration-test",
                        "failsafe:verify")
                .directory(root.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        lab.keep(maven::destroy);
        if (!maven.waitFor(MINUTES, TimeUnit.MINUTES) || maven.exitValue() != 0) {
            maven.destroy();
            throw new IllegalStateException("the simulation failed: see " + log);
        }
        return Files.readAllLines(log).stream()
                .map(line -> line.substring(Math.max(0, line.indexOf("scale, "))))
                .filter(line -> line.startsWith("scale, a lot takes"))
                .toList();
    }
}
