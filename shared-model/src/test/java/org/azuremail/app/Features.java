package org.azuremail.app;

import java.util.Arrays;
import java.util.List;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.util.ClassUtils;

/** The configuration classes of features, found in the same way as in production. */
public final class Features {

    private static final List<Class<?>> ALL =
            ImportCandidates.load(CoreConfiguration.class, null).getCandidates().stream()
                    .<Class<?>>map(name -> ClassUtils.resolveClassName(name, null))
                    .toList();

    private Features() {}

    /** Returns the configuration class of each package, named without {@code org.azuremail.}, in this order. */
    public static Class<?>[] of(String... packages) {
        return Arrays.stream(packages).map(Features::of).toArray(Class<?>[]::new);
    }

    private static Class<?> of(String feature) {
        return ALL.stream()
                .filter(type -> type.getPackageName().equals("org.azuremail." + feature))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException("no configuration is in the package " + feature));
    }
}
