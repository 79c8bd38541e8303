package org.azuremail.web.security;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.list.ListName;
import org.azuremail.storage.StorageException;
import org.azuremail.web.account.SecretCookie;
import org.azuremail.web.account.Sessions;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.key.ApiKeys;
import org.azuremail.web.key.KeyQuotas;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.servlet.autoconfigure.MultipartProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.security.web.header.HeaderWriterFilter;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;
import org.springframework.security.web.util.matcher.OrRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.json.JsonMapper;

/**
 * Configures three filter chains: health for anyone, {@code /api} and the metrics for programs with keys, and all other
 * addresses for people with sessions.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AdminProperties.class)
class SecurityConfiguration {

    private static final String METRICS = "/actuator/prometheus";

    private static final String[] HEALTH = {"/actuator/health", "/actuator/health/**"};

    /**
     * The pages for admins who are not signed in. They need no session, but are served to the admins' networks only.
     */
    private static final String[] SIGN_IN_PATHS = {"/sign-in", "/setup", "/welcome"};

    private static final String[] PUBLIC_PATHS = {
        "/subscribe",
        "/unsubscribe",
        "/preferences",
        "/webhooks/**",
        "/logo/*",
        "/image/*",
        "/look/*",
        "/css/**",
        "/js/**",
        "/img/**",
        "/webjars/**",
        "/favicon.ico",
        "/robots.txt"
    };

    @Bean
    AdminNetworks adminNetworks(AdminProperties settings) {
        return AdminNetworks.of(settings.allowFrom());
    }

    /** Reads no session, because the storage may be unavailable and health is about this process. */
    @Bean
    @Order(1)
    SecurityFilterChain health(HttpSecurity http, AzureMailProperties settings, MultipartProperties uploads)
            throws Exception {
        return withoutServletSession(http, settings)
                .securityMatcher(HEALTH)
                .csrf(AbstractHttpConfigurer::disable)
                .addFilterBefore(
                        new BodyLimitFilter(uploads.getMaxRequestSize(), call -> false),
                        AnonymousAuthenticationFilter.class)
                .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain api(
            HttpSecurity http,
            ApiKeys keys,
            KeyQuotas quotas,
            AdminNetworks networks,
            JsonMapper json,
            AzureMailProperties settings,
            MultipartProperties uploads)
            throws Exception {
        ApiProblems problems = new ApiProblems(json);
        return withoutServletSession(http, settings)
                .securityMatcher("/api/**", METRICS)
                .csrf(AbstractHttpConfigurer::disable)
                .addFilterAfter(new StorageOutageFilter(problems::storageUnavailable), HeaderWriterFilter.class)
                .addFilterBefore(
                        new ApiKeyFilter(keys, quotas, networks, problems), AnonymousAuthenticationFilter.class)
                .addFilterBefore(
                        new BodyLimitFilter(uploads.getMaxRequestSize(), call -> false),
                        AnonymousAuthenticationFilter.class)
                .exceptionHandling(
                        refused -> refused.authenticationEntryPoint(problems).accessDeniedHandler(problems))
                .authorizeHttpRequests(
                        requests -> requests.dispatcherTypeMatchers(DispatcherType.ERROR, DispatcherType.ASYNC)
                                .permitAll()
                                .requestMatchers(HttpMethod.POST, "/api/v1/lists/{list}/subscriptions")
                                .access(SecurityConfiguration::listOfPath)
                                .requestMatchers("/api/SubscribeAPI")
                                .access(SecurityConfiguration::listOfParameter)
                                .requestMatchers(METRICS)
                                .hasAnyAuthority("SCOPE_ADMIN", "SCOPE_METRICS")
                                .anyRequest()
                                .hasAuthority("SCOPE_ADMIN"))
                .build();
    }

    @Bean
    @Order(3)
    SecurityFilterChain pages(
            HttpSecurity http,
            Sessions sessions,
            SecretCookie sessionCookie,
            CsrfTokenRepository csrf,
            AdminNetworks networks,
            AzureMailProperties settings,
            MultipartProperties uploads,
            @Qualifier("requestMappingHandlerMapping") ObjectProvider<RequestMappingHandlerMapping> mappings)
            throws Exception {
        SignInEntryPoint entryPoint = new SignInEntryPoint(address -> isPage(mappings.getObject(), address));
        RequestMatcher forEverybody = new OrRequestMatcher(Stream.of(PUBLIC_PATHS)
                .map(PathPatternRequestMatcher.withDefaults()::matcher)
                .toArray(RequestMatcher[]::new));
        return withoutServletSession(http, settings)
                .securityContext(
                        context -> context.securityContextRepository(new SignedInContext(sessions, sessionCookie)))
                // The proof is the secret in a subscriber's link, or a signature. Mail programs and providers send no
                // cookie.
                .csrf(forms -> forms.csrfTokenRepository(csrf)
                        .ignoringRequestMatchers("/subscribe", "/unsubscribe", "/preferences", "/webhooks/**"))
                .addFilterAfter(new StorageOutageFilter(SecurityConfiguration::errorPage), HeaderWriterFilter.class)
                .addFilterBefore(new AdminNetworkFilter(networks, forEverybody), CsrfFilter.class)
                .addFilterBefore(
                        new BodyLimitFilter(uploads.getMaxRequestSize(), form -> sessionCookie
                                .read(form)
                                .filter(sessions::known)
                                .isPresent()),
                        CsrfFilter.class)
                .exceptionHandling(
                        refused -> refused.authenticationEntryPoint(entryPoint).accessDeniedHandler(entryPoint))
                .authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(
                                DispatcherType.ERROR, DispatcherType.FORWARD, DispatcherType.ASYNC)
                        .permitAll()
                        .requestMatchers(forEverybody)
                        .permitAll()
                        .requestMatchers(SIGN_IN_PATHS)
                        .permitAll()
                        .requestMatchers("/actuator/**", "/error")
                        .denyAll()
                        .anyRequest()
                        .hasRole(SignedInContext.ROLE))
                .build();
    }

    private static boolean isPage(RequestMappingHandlerMapping mappings, String address) {
        PathContainer path = PathContainer.parsePath(address);
        return mappings.getHandlerMethods().keySet().stream()
                .filter(mapping -> mapping.getMethodsCondition().getMethods().contains(RequestMethod.GET))
                .map(RequestMappingInfo::getPathPatternsCondition)
                .filter(Objects::nonNull)
                .anyMatch(addresses -> addresses.getPatterns().stream().anyMatch(pattern -> pattern.matches(path)));
    }

    /** Turns off the measuring of filters. It took an eighth of the time of a call, and the times were not used. */
    @Bean
    SecurityObservationSettings noFilterObservations() {
        return SecurityObservationSettings.noObservations();
    }

    /** Sends an error that {@code ErrorPages} renders. It finds the cause in the attribute. */
    private static void errorPage(HttpServletRequest request, HttpServletResponse response, StorageException away)
            throws IOException {
        request.setAttribute(RequestDispatcher.ERROR_EXCEPTION, away);
        response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
    }

    /**
     * Keeps the token of a form in a cookie, too, so that no instance has to remember it and the first sign-in has one.
     */
    @Bean
    CsrfTokenRepository formTokens(AzureMailProperties settings) {
        CookieCsrfTokenRepository tokens = new CookieCsrfTokenRepository();
        boolean https = https(settings);
        tokens.setCookieName(https ? "__Host-azuremail-form" : "azuremail-form");
        tokens.setCookiePath("/");
        tokens.setCookieCustomizer(cookie -> cookie.httpOnly(true).secure(https).sameSite("Lax"));
        return tokens;
    }

    /**
     * Knows no users, because admins do not sign in through Spring Security. Without this bean it would create a user.
     */
    @Bean
    UserDetailsService noUsers() {
        return name -> {
            throw new UsernameNotFoundException(name);
        };
    }

    private static HttpSecurity withoutServletSession(HttpSecurity http, AzureMailProperties settings)
            throws Exception {
        return http.sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .requestCache(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .formLogin(AbstractHttpConfigurer::disable)
                .httpBasic(AbstractHttpConfigurer::disable)
                .anonymous(Customizer.withDefaults())
                .headers(headers -> {
                    headers.addHeaderWriter(new PageHeaders())
                            .frameOptions(HeadersConfigurer.FrameOptionsConfig::disable);
                    headers.httpStrictTransportSecurity(hsts -> {
                        if (https(settings)) {
                            hsts.requestMatcher(AnyRequestMatcher.INSTANCE);
                        } else {
                            hsts.disable();
                        }
                    });
                });
    }

    private static boolean https(AzureMailProperties settings) {
        return "https".equals(settings.publicUrl().getScheme());
    }

    /**
     * Allows a key to subscribe people to its own lists only. A request that names no list is left to the controller.
     */
    private static AuthorizationResult listOfPath(
            Supplier<? extends @Nullable Authentication> caller, RequestAuthorizationContext call) {
        return mayUse(caller.get(), call.getVariables().get("list"));
    }

    /**
     * Checks the list that the query names. Two values count as none, so that a caller is not allowed one list and
     * served another.
     */
    private static AuthorizationResult listOfParameter(
            Supplier<? extends @Nullable Authentication> caller, RequestAuthorizationContext call) {
        String[] values = call.getRequest().getParameterValues("listName");
        return mayUse(caller.get(), values != null && values.length == 1 ? values[0] : null);
    }

    private static AuthorizationResult mayUse(@Nullable Authentication caller, @Nullable String list) {
        return new AuthorizationDecision(caller != null
                && caller.getPrincipal() instanceof ApiKey key
                && key.scope() != ApiKey.Scope.METRICS
                && Optional.ofNullable(list)
                        .flatMap(ListName::parse)
                        .map(key::maySubscribeTo)
                        .orElse(true));
    }
}
