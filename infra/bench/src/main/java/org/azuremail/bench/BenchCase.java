package org.azuremail.bench;

/** One of the numbered cases of the benchmark. */
interface BenchCase {

    int number();

    String title();

    /** Measures and reports, and stops everything that it started. */
    void run(Lab lab, Entry entry) throws Exception;
}
